import { expect, it } from 'vitest';
import type { CommandContext } from '../../src/cli/context.ts';
import { restoreBackup } from '../../src/cli/data-life.ts';
import { MemoryOutput } from '../support/memory-output.ts';

it('a restore names a file of erasures that is not there, before it does anything', async () => {
  const config = { dataDir: '/nonexistent/data', store: { databaseUrl: 'embedded' } };
  const context = { out: new MemoryOutput(), config } as unknown as CommandContext;
  await expect(
    restoreBackup(context, '/nonexistent/nidaa.tar', { erasures: '/nonexistent/typo.jsonl' }),
  ).rejects.toThrow('There is no file /nonexistent/typo.jsonl: nobody would be erased again.');
});
