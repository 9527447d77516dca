// The documents of animations.mjs, moved in time: `node moved.mjs TEST_SVG_TIME`, TAP. They draw what documents draw
// that are loaded with that time.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { documents } from './animated.mjs';

const folder = mkdtempSync(join(tmpdir(), 'stijl-moved-'));
const root =
  '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="100" height="100">';
for (const [name, inside] of Object.entries(documents))
  writeFileSync(join(folder, `${name}.svg`), `${root}${inside}</svg>`);
const env = { ...process.env, STIJL_ANIMATED: folder };
const { status } = spawnSync(process.argv[2], ['documents_of_a_folder'], { env, stdio: 'inherit' });
rmSync(folder, { recursive: true });
process.exitCode = status ?? 1;
