import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { PASSWORD_CHARS } from './passwords.ts';

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:24rem;margin:12vh auto;padding:0 1rem}
h1{font-size:1.4rem}label{display:block;margin:1rem 0 .25rem}input,button{font:inherit;box-sizing:border-box;width:100%;padding:.5rem}
button{margin-top:1.5rem}[hidden]{display:none}`;

/** The secret comes in the fragment and leaves the address at once, so that it is in no history. */
const SCRIPT = `const form = document.querySelector('form');
const said = document.querySelector('output');
const secret = location.hash.slice(1);
history.replaceState(null, '', location.pathname);
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { email, password, again } = form.elements;
  if (password.value !== again.value) { said.textContent = 'The passwords differ. / كلمتا المرور مختلفتان.'; return; }
  const body = { secret, password: password.value, ...(email.value && { email: email.value }) };
  const answer = await fetch('/manage/v1/session/link', {
    method: 'POST', headers: { 'content-type': 'application/json', 'x-nidaa-console': '1' }, body: JSON.stringify(body),
  }).catch(() => undefined);
  const read = await answer?.json().catch(() => undefined);
  if (answer?.ok) { form.hidden = true; said.textContent = 'You are signed in. / تم تسجيل الدخول: ' + read.name; }
  else said.textContent = read?.error?.message ?? 'The gateway does not answer. / لا يوجد رد.';
});`;

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Nidaa</title><style>${STYLE}</style></head><body><main><h1>Nidaa <bdi lang="ar">نداء</bdi></h1>
<form><label for="email">E-mail / البريد الإلكتروني (first link only / للرابط الأول فقط)</label>
<input id="email" name="email" type="email" autocomplete="username">
<label for="password">Password / كلمة المرور (${PASSWORD_CHARS.min}+)</label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="${PASSWORD_CHARS.min}">
<label for="again">Once more / مرة أخرى</label>
<input id="again" name="again" type="password" autocomplete="new-password" required>
<button>Set password / حفظ</button></form><output role="status" aria-live="polite"></output></main><script>${SCRIPT}</script></body></html>`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const POLICY =
  `default-src 'none'; style-src ${hashOf(STYLE)}; script-src ${hashOf(SCRIPT)}; connect-src 'self'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The page behind a one-time link: it sets a password, and loads nothing. */
export function welcomeRoute(app: FastifyInstance): void {
  app.get('/manage/welcome', { config: { loggedAs: 'getWelcome' } }, async (_request, reply) =>
    reply
      .headers({ 'content-security-policy': POLICY, 'x-frame-options': 'DENY', 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(PAGE),
  );
}
