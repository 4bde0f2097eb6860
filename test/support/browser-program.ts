import { existsSync } from 'node:fs';

/** Debian's headless shell draws the same pages with less than half of the processor's work. It has no window to hide. */
const PROGRAMS = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium'];

/** The browser of the tests; undefined where none is installed. */
export const BROWSER = PROGRAMS.find((program) => existsSync(program));
