/** A loader of modules: what stands at the top of the rules' modules is told to `globalThis.toldTables`, to be emptied and put back. */
const MODULES = /\/dist\/(engines\/reply|language\/(?:phrases|values))\/(?!.*(?:weights|stock-intents|stock-phrases))/;

export async function load(url, context, nextLoad) {
  const module = await nextLoad(url, context);
  if (!MODULES.test(url) || module.format !== 'module') return module;
  const source = String(module.source);
  const names = [...source.matchAll(/^(?:export )?const ([A-Z][A-Z_]+) = /gm)].map(([, name]) => name);
  const file = url.split('/dist/')[1];
  const told = names.map((name) => `(globalThis.toldTables ??= []).push({ name: '${file} ${name}', table: ${name} });`);
  // Of numbers one may be another in this process: `understanding.js:SURE=0.8`.
  const [where, name, value] = (process.env.NIDAA_CONSTANT ?? '').split(/[:=]/);
  const changed =
    where && file.endsWith(where)
      ? source.replace(new RegExp(`((?:const ${name} =|\\b${name}:) )[\\d.]+`), `$1${value}`)
      : source;
  return { ...module, source: `${changed}\n${told.join('\n')}` };
}
