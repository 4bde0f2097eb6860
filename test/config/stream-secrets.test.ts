import { describe, expect, it } from 'vitest';
import { readStreamSecrets } from '../../src/config/stream-secrets.ts';

const ENV = { SECRET: 'a-secret-of-some-length', TOKEN: 'auth-token', SHORT: 'short', SLASH: 'not/part/of/a/path' };

function read(streams: Partial<Parameters<typeof readStreamSecrets>[0]>) {
  const problems: string[] = [];
  const settings = readStreamSecrets({ connectionsMax: 200, ...streams }, ENV, (path, message) => {
    problems.push(`${path.join('.')}: ${message}`);
  });
  return { settings, problems };
}

describe('the secrets of carriers', () => {
  it('come from the environment; no carrier is let in without', () => {
    expect(read({}).settings).toEqual({ connectionsMax: 200 });
    const publicUrl = 'wss://voice.example.com';
    const twilio = { secretEnv: 'SECRET', authTokenEnv: 'TOKEN', publicUrl };
    expect(read({ twilio, asterisk: { secretEnv: 'SECRET' } })).toEqual({
      settings: {
        connectionsMax: 200,
        twilio: { secret: ENV.SECRET, authToken: ENV.TOKEN, publicUrl },
        asterisk: { secret: ENV.SECRET },
      },
      problems: [],
    });
  });

  it.each([
    { streams: { twilio: {} }, problem: 'streams.twilio: expected secretEnv or authTokenEnv' },
    { streams: { twilio: { authTokenEnv: 'NONE' } }, problem: 'streams.twilio.authTokenEnv: expected a secret in the' },
    { streams: { asterisk: { secretEnv: 'NONE' } }, problem: 'streams.asterisk.secretEnv: expected a secret in the' },
    {
      streams: { asterisk: { secretEnv: 'SHORT' } },
      problem: 'streams.asterisk.secretEnv: expected 16 or more letters',
    },
    {
      streams: { asterisk: { secretEnv: 'SLASH' } },
      problem: 'streams.asterisk.secretEnv: expected 16 or more letters',
    },
  ])('are asked for: $problem', ({ streams, problem }) => {
    const { problems } = read(streams);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
    expect(problems[0]).not.toContain('short');
  });
});
