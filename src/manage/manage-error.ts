import type { FieldProblem } from '../config/references.ts';
import { ERRORS, type ErrorCode } from '../core/errors.ts';
import { type Notice, notice, noticeOf, textOf } from '../core/notice.ts';

/** What only the management API answers; all else has the code and the words of `core/errors.ts`. */
export const MANAGE_ERRORS = {
  unauthorized: { status: 401, message: 'Sign in, or send a management key.' },
  wrong_sign_in: { status: 401, message: 'E-mail or password is wrong.' },
  unknown_link: { status: 404, message: 'The link was used already, or is too old.' },
  missing_scope: { status: 403, message: 'This needs the scope <detail>.' },
  foreign_origin: { status: 403, message: 'The request does not come from a page of this gateway.' },
  only_people: { status: 403, message: 'This is for people who have signed in.' },
  too_mighty: { status: 403, message: 'You cannot give what you do not have yourself: <detail>.' },
  unknown_resource: { status: 404, message: 'Unknown <detail>.' },
  taken: { status: 409, message: 'There is <detail> already.' },
  not_possible: { status: 409, message: 'Not possible: <detail>.' },
  full: { status: 409, message: 'There are as many <detail> as there may be.' },
  not_here_yet: {
    status: 503,
    message: 'The recording is still on the gateway that made it: <detail>. Ask again shortly.',
  },
  elsewhere: { status: 409, message: 'The recording is on the disk of another gateway: <detail>. Ask that one.' },
  storage_away: { status: 503, message: 'The storage of recordings does not answer. Ask again shortly.' },
  sealed: { status: 409, message: 'The recording is encrypted with a key that this gateway does not have: <detail>.' },
  range_not_satisfiable: { status: 416, message: 'The recording has no such part.' },
  not_called: { status: 422, message: 'Not called: <detail>' },
  invalid_definition: { status: 422, message: 'Invalid definition: <detail>.' },
  invalid_tests: { status: 422, message: 'Invalid tests: <detail>.' },
  tests_failed: { status: 409, message: 'Not published, for the tests of the agent fail: <detail>.' },
  too_many_readers: { status: 429, message: 'Too many live streams are open.' },
  edited_meanwhile: { status: 412, message: 'Somebody else has saved meanwhile: load it again.' },
  weak_password: { status: 422, message: 'The password needs at least 10 characters.' },
} as const;

export type ManageOnlyCode = keyof typeof MANAGE_ERRORS;
export type ManageCode = ManageOnlyCode | Exclude<ErrorCode, 'unauthorized'>;

/** Status and message of a code, `<detail>` marking what is filled in. */
export function manageErrorRow(code: ManageCode): { readonly status: number; readonly message: string } {
  return code in MANAGE_ERRORS ? MANAGE_ERRORS[code as ManageOnlyCode] : ERRORS[code as ErrorCode];
}

/** A failure that a client of the management API sees. */
export class ManageError extends Error {
  readonly status: number;
  /** What the detail says, for who shows it in another language; null where it is a name or nothing. */
  readonly notice: Notice | null;
  constructor(
    readonly code: ManageOnlyCode,
    detail: string | Notice = '',
    options?: ErrorOptions,
  ) {
    super(
      MANAGE_ERRORS[code].message.replace('<detail>', () => textOf(detail)),
      options,
    );
    this.notice = typeof detail === 'string' ? (noticeOf(detail, 'request') ?? null) : detail;
    this.name = 'ManageError';
    this.status = MANAGE_ERRORS[code].status;
  }
}

/** `invalid_definition` with the first problem, and how many more there are. */
export function invalidDefinition(
  problems: readonly FieldProblem[],
  placed: 'problem.at' | 'problem.of' = 'problem.at',
): ManageError {
  const [first, ...more] = problems;
  if (!first) return new ManageError('invalid_definition');
  const problem = notice(placed, { field: first.field || 'definition', problem: first.said });
  return new ManageError('invalid_definition', andMore(problem, more.length));
}

export const andMore = (problem: Notice, more: number): Notice =>
  more > 0 ? notice('problem.and-more', { problem, more }) : problem;
