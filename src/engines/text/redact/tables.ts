import { foldWord } from '../../../language/fold-word.ts';
import { listsOf } from '../../../language/lists.ts';
import type { Kind } from './kinds.ts';
import type { Found, Reading } from './reading.ts';

const list = listsOf('engines/text/redact/data/tables.tsv');

/** Columns that say what their cells are. Cells of other columns are read as ordinary text. */
const COLUMNS: readonly { readonly kind: Kind; readonly names: string; readonly cell: RegExp }[] = [
  {
    kind: 'Person Name',
    names: list('names').join('|'),
    cell: /^[a-zà-ɏ\u0620-\u064a][a-zà-ɏ\u0620-\u064a .'-]{1,59}$/,
  },
  {
    kind: 'Salary',
    names:
      'salary|basic salary|monthly salary|net salary|gross salary|income|الراتب|راتب|الراتب الأساسي|صافي الراتب|الدخل|إجمالي الراتب',
    cell: /^[0-9][0-9,.]{2,11}(?: ?(?:sar|ريال|ر\.س))?$/,
  },
  {
    kind: 'Financial Data',
    names: 'balance|account balance|الرصيد|رصيد الحساب',
    cell: /^-?[0-9][0-9,.]{1,14}(?: ?(?:sar|ريال|ر\.س))?$/,
  },
  {
    kind: 'Bank Account',
    names: 'account|account no|account number|رقم الحساب|الحساب|الحساب البنكي',
    cell: /^[0-9][0-9 -]{5,23}$/,
  },
  {
    kind: 'Phone Number',
    names: 'phone|mobile|phone number|mobile number|tel|telephone|contact number|الجوال|رقم الجوال|الهاتف|رقم الهاتف',
    cell: /^\+?[0-9][0-9 ()-]{6,17}$/,
  },
  {
    kind: 'National ID',
    names: 'id number|national id|nid|id no|رقم الهوية|الهوية|السجل المدني|رقم السجل المدني',
    cell: /^[0-9]{10}$/,
  },
  { kind: 'Iqama', names: 'iqama|iqama number|iqama no|رقم الإقامة|الإقامة', cell: /^[0-9]{10}$/ },
  {
    kind: 'Passport',
    names: 'passport|passport no|passport number|رقم الجواز|الجواز|جواز السفر',
    cell: /^(?=.*[0-9])[a-z0-9]{6,12}$/,
  },
  {
    kind: 'Employee ID',
    names: 'employee id|employee no|employee number|staff id|staff no|emp id|الرقم الوظيفي|رقم الموظف',
    cell: /^(?=.*[0-9])[a-z0-9-]{2,12}$/,
  },
  {
    kind: 'Medical Record Number',
    names: 'mrn|file no|file number|patient id|medical record|رقم الملف|الملف الطبي|رقم الملف الطبي',
    cell: /^(?=.*[0-9])[a-z0-9-]{3,14}$/,
  },
  {
    kind: 'Date of Birth',
    names: 'dob|date of birth|birth date|birthdate|تاريخ الميلاد|الميلاد',
    cell: /^[0-9]{1,4}[/. -][0-9a-z\u0620-\u064a]{1,10}[/. -][0-9]{1,4}(?: ?(?:هـ|ه|م))?$/,
  },
  {
    kind: 'Address',
    names: 'address|home address|العنوان|عنوان السكن',
    cell: /^(?=.*[a-z\u0620-\u064a])[^\n]{6,120}$/,
  },
  {
    kind: 'Health',
    names: 'diagnosis|condition|disease|التشخيص|المرض|الحالة الصحية',
    cell: /^(?=.*[a-z\u0620-\u064a])[^\n]{3,80}$/,
  },
  { kind: 'Religion or Belief', names: 'religion|الديانة', cell: /^[a-z\u0620-\u064a ]{3,30}$/ },
  { kind: 'Credential', names: 'password|pin|otp|كلمة المرور|الرقم السري|كلمة السر', cell: /^\S{4,64}$/ },
];

const BY_NAME = new Map<string, (typeof COLUMNS)[number]>();
for (const column of COLUMNS) for (const name of column.names.split('|')) BY_NAME.set(foldWord(name), column);

const DELIMITERS = ['\t', '|', ';', ','] as const;
const COLUMNS_MAX = 64;
/** A header has at least two names; one alone is a word and a comma. */
const COLUMNS_MIN = 2;
const HEADER_CHARS_MAX = 1_000;

interface Cell {
  readonly text: string;
  readonly start: number; // canonical index
}

/** Cells of a table whose first line names its columns: CSV, tab separated, Markdown. The table ends at a line of another width. */
export function findCells(reading: Reading): Found[] {
  const { lower, canonical } = reading;
  const found: Found[] = [];
  if (!lower.includes('\n')) return found;
  let header: readonly ((typeof COLUMNS)[number] | undefined)[] = [];
  let delimiter = '';
  for (let start = 0; start < lower.length; ) {
    const next = lower.indexOf('\n', start);
    const end = next < 0 ? lower.length : next;
    const inside = header.length > 0 ? cellsOf(lower, start, end, delimiter, tabbed) : undefined;
    if (inside !== undefined && inside.length === header.length) {
      for (const [at, cell] of inside.entries()) {
        const column = header[at];
        if (column?.cell.test(cell.text)) {
          found.push(reading.found(column.kind, cell.start, cell.start + cell.text.length, 0.75));
        }
      }
    } else if (inside === undefined || !/^[\s|:-]*$/.test(lower.slice(start, end))) {
      ({ header, delimiter } = headerAt(start, end));
    }
    start = end + 1;
  }
  return found;

  /** The canonical text has spaces for tabs. */
  function tabbed(index: number): boolean {
    return canonical.source.charCodeAt(canonical.start(index)) === 0x09;
  }

  function headerAt(start: number, end: number): { header: typeof header; delimiter: string } {
    if (end - start <= HEADER_CHARS_MAX) {
      for (const sign of DELIMITERS) {
        const cells = cellsOf(lower, start, end, sign, tabbed);
        if (cells.length < COLUMNS_MIN || cells.length > COLUMNS_MAX) continue;
        const named = cells.map(({ text }) => BY_NAME.get(foldWord(text.replace(/[_"'*-]+/g, ' ').trim())));
        if (named.some((column) => column !== undefined) && cells.every(({ text }) => text.length <= 40)) {
          return { header: named, delimiter: sign };
        }
      }
    }
    return { header: [], delimiter: '' };
  }
}

/** The cells of one line, trimmed of spaces and quotes. */
function cellsOf(
  lower: string,
  from: number,
  to: number,
  delimiter: string,
  tabbed: (index: number) => boolean,
): Cell[] {
  const cells: Cell[] = [];
  let start = from;
  for (let at = from; at <= to && cells.length <= COLUMNS_MAX; at += 1) {
    const isEnd =
      at === to || (delimiter === '\t' ? lower.charAt(at) === ' ' && tabbed(at) : lower.charAt(at) === delimiter);
    if (!isEnd) continue;
    const raw = lower.slice(start, at);
    const lead = /^[\s"']*/.exec(raw)![0].length;
    cells.push({ text: raw.slice(lead).replace(/[\s"']+$/, ''), start: start + lead });
    start = at + 1;
  }
  return cells;
}
