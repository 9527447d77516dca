const mark = Symbol.for('stijl-wasm error');

/** An error of the library, with the library's own message. */
export class StijlError extends Error {
  constructor(code, message) {
    super(message);
    this.name = 'StijlError';
    this.code = code;
  }
  get [mark]() { return true; }
  // Each entry of the package has this class for itself: what one of them throws is an instance of the others', too.
  static [Symbol.hasInstance](error) {
    return this === StijlError ? error?.[mark] === true : Function.prototype[Symbol.hasInstance].call(this, error);
  }
}

/** Gives a line to the caller's `log`. What that throws is its own: it is shown, and what logs goes on. */
export function tell(log, level, line) {
  try {
    log?.(level, line);
  } catch (error) {
    console.error(error);
  }
}
