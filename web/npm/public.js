// What all entries of the package have beside load().
export { Css, CssDocument, Filter, Fonts, Image, Matcher, Path, Renderer, Scene, Stijl, StijlError, Svg, Text, enums,
  states } from './library.js';
export { partNames } from './parts.js';
