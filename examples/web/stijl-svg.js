// <stijl-svg src="picture.svg"></stijl-svg>: a picture that a worker draws, in the device's pixels, whenever its size
// or its source changes. All elements of a page share the worker, which is started with the first.
import { openWorker } from 'stijl-wasm/worker';

let worker = null;
const sharedWorker = () => (worker ??= openWorker({ maxSeconds: 5 }));

class StijlSvg extends HTMLElement {
  static observedAttributes = ['src'];
  #canvas = document.createElement('canvas');
  #source = null;
  #busy = false;
  #again = false;
  #sizes = new ResizeObserver(() => this.#draw());

  connectedCallback() {
    if (!this.shadowRoot) {
      const style = document.createElement('style');
      style.textContent =
        ':host { display: block } canvas { display: block; width: 100%; height: 100%; object-fit: contain }';
      this.attachShadow({ mode: 'open' }).append(style, this.#canvas);
    }
    this.#sizes.observe(this);
  }
  disconnectedCallback() { this.#sizes.disconnect(); }
  attributeChangedCallback() {
    this.#source = null;
    if (this.isConnected) this.#draw();
  }

  // Draws one drawing at a time; what has changed meanwhile is drawn next. (To abort one would end the worker.)
  async #draw() {
    this.#again = true;
    if (this.#busy) return;
    this.#busy = true;
    while (this.#again) {
      this.#again = false;
      await this.#drawOnce()
        .catch((error) => this.dispatchEvent(new ErrorEvent('error', { error, message: error.message })));
    }
    this.#busy = false;
  }
  async #drawOnce() {
    const width = Math.round(this.clientWidth * devicePixelRatio),
          height = Math.round(this.clientHeight * devicePixelRatio);
    if (!width || !this.hasAttribute('src')) return;
    const response = this.#source === null ? await fetch(this.getAttribute('src')) : null;
    if (response && !response.ok) throw new Error(`${response.url}: ${response.status}`);
    this.#source ??= await response.text();
    const { bitmap } = await (await sharedWorker())
      .render(this.#source, { width, height: height || undefined, as: 'bitmap' });
    Object.assign(this.#canvas, { width: bitmap.width, height: bitmap.height });
    this.#canvas.getContext('bitmaprenderer').transferFromImageBitmap(bitmap);
    this.dispatchEvent(new Event('load'));
  }
}
customElements.define('stijl-svg', StijlSvg);
