import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Into `dist/console`, for the gateway to serve below `/console/`. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react()],
  build: {
    outDir: '../../dist/console',
    emptyOutDir: true,
    // The first that know `light-dark()`.
    target: ['chrome123', 'firefox121', 'safari17.5'],
    // The policy allows nothing inline, and names of files say what changed.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_200,
  },
});
