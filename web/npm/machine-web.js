// How files are read, and randomness is got, in pages, workers, Deno and workerd. machine-node.js is the same for Node.
const here = () => globalThis.document?.baseURI ?? globalThis.location?.href;
const isFile = ({ protocol }) => protocol === 'file:' && globalThis.Deno !== undefined;

export const web = {
  /** Makes a URL of what a caller gives: it is relative to the page or worker. */
  url: (source) => new URL(source, here()),
  read: (source) => fetch(web.url(source)),
  random: (bytes) => crypto.getRandomValues(bytes),

  /** Returns whether readNow() can read it: a call that needs a part of the module cannot wait. */
  canReadNow: (url) => typeof XMLHttpRequest !== 'undefined' || isFile(url),
  readNow(url) {
    if (isFile(url)) return globalThis.Deno.readFileSync(url);
    if (typeof XMLHttpRequest === 'undefined') throw new Error('it has to be fetched before: load({ ahead: true })');
    const request = new XMLHttpRequest(), page = typeof document !== 'undefined';
    request.open('GET', url, false);
    // A synchronous request of a page returns text only. In this encoding each byte is a character, plus 0xf700 above
    // 127.
    if (page) request.overrideMimeType('text/plain; charset=x-user-defined');
    else request.responseType = 'arraybuffer';
    request.send();
    if (request.status !== 200) throw new Error(`${request.status} ${request.statusText}`);
    return page ? Uint8Array.from(request.response, (character) => character.charCodeAt(0) & 255) : request.response;
  },
};
