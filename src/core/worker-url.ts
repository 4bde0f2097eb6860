/**
 * The file a worker thread runs. Threads cannot load TypeScript on every Node that is supported, so code under test
 * (`src/x.ts`) starts the built twin (`dist/x.js`); the test run builds first.
 *
 * @param importMetaUrl - `import.meta.url` of the caller.
 * @param relative - path of the worker without extension, as seen from the caller: `./media-worker`.
 */
export function workerUrl(importMetaUrl: string, relative: string): URL {
  const built = importMetaUrl.endsWith('.ts') ? importMetaUrl.replace(/\/src\/(?!.*\/src\/)/, '/dist/') : importMetaUrl;
  return new URL(`${relative}.js`, built);
}
