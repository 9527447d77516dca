// The script of a thread in a page; it is delivered with what it imports, as worker-main.js is.
import { help } from './help.js';
import { web } from './machine-web.js';

globalThis.onmessage = (event) => help(web, event.data, () => globalThis.postMessage('ready'));
