// The Chromium in which pages are tested.
import { existsSync } from 'node:fs';

const DEBIAN = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/**
 * Where Chromium is: what `CHROMIUM` names, or Debian's, if there is one. The one without windows is preferred: a window
 * costs a third of the time of a page that lives for seconds.
 */
export const chromiumPath = () => process.env.CHROMIUM || DEBIAN.find((path) => existsSync(path));
