// Takes the machine's own fonts for text, where the browser offers them (Local Font Access) and its user allows it.

const MAX_BYTES = 64 * 2 ** 20;
// The families that stand for generic ones on most machines.
const common = ['arial', 'helvetica', 'liberation sans', 'dejavu sans', 'noto sans', 'roboto', 'times new roman',
  'liberation serif', 'dejavu serif', 'noto serif', 'courier new',
  'liberation mono', 'dejavu sans mono', 'noto sans mono', 'menlo'];

export const lendsFonts = 'queryLocalFonts' in window;

/** Returns the files of the fonts that a source names, and of common ones, at most 64 MiB. */
export async function lentFonts(source) {
  const text = source.toLowerCase(), files = [];
  const named = (family) => text.includes(family.toLowerCase()), all = await window.queryLocalFonts();
  let left = MAX_BYTES;
  for (const font of [...all.filter(({ family }) => named(family)),
    ...all.filter(({ family }) => !named(family) && common.includes(family.toLowerCase()))]) {
    const blob = await font.blob();
    if (blob.size > left) continue;
    left -= blob.size;
    files.push(new Uint8Array(await blob.arrayBuffer()));
  }
  return files;
}
