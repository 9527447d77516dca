// webgpu-lab.mjs: the browser's lab in Deno, on whatever Vulkan driver the machine has; writes its JSON, which
// `stijl lab report --against` reads, and prints what it says.
//
//   deno run -A --unstable-webgpu bench/webgpu-lab.mjs [--full] [--submissions] [--only=NAME,...] OUT.json
//
// --submissions: as where there is no timestamp-query. --only: these instruments (contraction, access, transpose,
// matmul, workgroup). STIJL_WEB: the folder with npm/ in it (build-web).
const root = new URL('..', import.meta.url), web = Deno.env.get('STIJL_WEB') ?? new URL('build-web', root).pathname;
const from = (name) => import(new URL(`npm/${name}`, `file://${web}/`));
const { load } = await from('index.js'), { openGpu } = await from('webgpu.js'),
      { runLab, format } = await from('lab.js');
const stijl = await load(), begin = performance.now(), file = Deno.args.find((one) => !one.startsWith('--'));
const only = Deno.args.find((one) => one.startsWith('--only='))?.slice(7).split(',').filter(Boolean);
const { device, verdict, wrongs, likes, tables, json } =
  await runLab({ only, powerPreference: 'high-performance', size: Deno.args.includes('--full') ? 'full' : 'quick',
  clock: !Deno.args.includes('--submissions'),
  progress: (name) => console.error(`${((performance.now() - begin) / 1e3).toFixed(1)} s: ${name}`),
  selfTest: () => openGpu(stijl, { powerPreference: 'high-performance' }) });
console.log(JSON.stringify(device));
for (const line of [...likes.map((like) => `It pays here: ${like}`), ...wrongs.map((text) => `WRONG: ${text}`),
  ...verdict])
  console.log(line);
for (const { title, columns, rows } of tables) {
  console.log(`\n${title}`);
  for (const row of rows) console.log(`  ${row.map((value, i) => format(columns[i][2], value)).join('  ')}`);
}
if (file) Deno.writeTextFileSync(file, `${JSON.stringify(json, null, 1)}\n`);
if (!json.passed) Deno.exit(1);
