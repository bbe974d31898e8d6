// npm run docs: builds the documentation site in target/docs/.
import { buildPage } from './build.mjs';
import { setup } from './setup.mjs';
import { main } from './steps.mjs';

await main(async () => buildPage(await setup()));
