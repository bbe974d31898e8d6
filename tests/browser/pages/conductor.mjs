// A worker that contains Hornbook and serves whoever started it.
import { createHornbook } from '/hornbook/web.js';

const hornbook = await createHornbook();
hornbook.connect(self);
self.postMessage({ type: 'ready', to: 'whom it may concern' });
