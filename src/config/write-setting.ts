import { isMap, isScalar, parseDocument } from 'yaml';
import { OperatorError } from '../core/errors.ts';

/**
 * The text of `nidaa.yaml` with `engines.speechPrivacy: remote`, everything else to the letter as it was.
 *
 * @throws OperatorError where the file has a shape in which that is better done by hand.
 */
export function withRemoteSpeech(text: string): string {
  const written = edited(text);
  const check = parseDocument(written);
  if (check.errors.length > 0 || check.getIn(['engines', 'speechPrivacy']) !== 'remote')
    throw new OperatorError('write speechPrivacy: remote under engines by hand: the file is not written as expected');
  return written;
}

function edited(text: string): string {
  const document = parseDocument(text);
  const value = document.getIn(['engines', 'speechPrivacy'], true);
  if (isScalar(value) && value.range) return spliced(text, value.range[0], value.range[1], 'remote');
  const engines = document.get('engines', true);
  if (isMap(engines) && engines.range) {
    if (engines.flow) return spliced(text, engines.range[0] + 1, engines.range[0] + 1, ' speechPrivacy: remote,');
    const at = engines.range[0];
    const indent = ' '.repeat(at - (text.lastIndexOf('\n', at - 1) + 1));
    return spliced(text, at, at, `speechPrivacy: remote\n${indent}`);
  }
  if (document.has('engines')) return text; // with nothing in it: by hand
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}engines:\n  speechPrivacy: remote\n`;
}

const spliced = (text: string, from: number, to: number, by: string): string =>
  text.slice(0, from) + by + text.slice(to);
