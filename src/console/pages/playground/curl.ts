import type { V1Request } from './v1-request.ts';

/** One word of a POSIX shell: within single quotes only they end it. */
const word = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** A name in `-F`: quoted, because there `;` and `,` begin something else (curl's manual, `--form`). */
const fileName = (name: string): string => `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** The same request for a terminal. The token is that of the environment: nobody pastes a secret into a history. */
export function curlOf(origin: string, { path, json, form, savesAs }: V1Request): string {
  const parts = [
    `curl ${word(`${origin}${path}`)}`,
    ...(json || form ? [] : ['-X POST']),
    '-H "Authorization: Bearer $NIDAA_TOKEN"',
    ...(json ? [`-H 'Content-Type: application/json'`, `-d ${word(JSON.stringify(json))}`] : []),
    ...(form ? [`-F ${word(`file=@${fileName(form.file.name)}`)}`] : []),
    ...Object.entries(form?.fields ?? {}).map(([name, value]) => `--form-string ${word(`${name}=${value}`)}`),
    ...(savesAs === undefined ? [] : [`-o ${word(savesAs)}`]),
  ];
  return parts.join(' \\\n  ');
}
