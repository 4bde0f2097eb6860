import scalar from '@scalar/fastify-api-reference';
import fastify from 'fastify';
import { defineConfig, type Plugin } from 'vite';

const BUNDLE = 'virtual:reference-bundle';

/** The browser's part of the reference, as its package serves it, and as a file of its own: its name changes with what is in it. */
function referenceBundle(): Plugin {
  return {
    name: 'reference-bundle',
    resolveId: (id) => (id === BUNDLE ? `\0${BUNDLE}` : undefined),
    async load(id) {
      if (id !== `\0${BUNDLE}`) return undefined;
      const app = fastify();
      await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
      const { body, statusCode } = await app.inject('/docs/js/scalar.js');
      await app.close();
      if (statusCode !== 200) throw new Error(`the package of the reference has no bundle: ${statusCode}`);
      // Its map is not there to be asked for.
      const source = body.replace(/\n?\/\/# sourceMappingURL=\S+\s*$/, '');
      const file = this.emitFile({ type: 'asset', name: 'reference-bundle.js', source });
      return `export default import.meta.ROLLUP_FILE_URL_${file};`;
    },
  };
}

/** Into `dist/docs`, for the gateway to serve below `/docs`. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/docs/',
  plugins: [referenceBundle()],
  build: {
    outDir: '../../../dist/docs',
    emptyOutDir: true,
    target: ['chrome123', 'firefox121', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { input: ['reference.html', 'guide.html'].map((file) => `${import.meta.dirname}/${file}`) },
  },
});
