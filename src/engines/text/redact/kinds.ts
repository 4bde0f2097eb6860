import type { Language } from '../../../core/agent.ts';
import type { Finding, Redacted } from '../contract.ts';

type Verdict = Redacted['verdict'];

/** What a finding rests on; the sentence in front of every `why`. */
type Basis = 'personal' | 'sensitive' | 'customer' | 'secret' | 'classification';

const BASES: Readonly<Record<Basis, Readonly<Record<Language, string>>>> = {
  personal: { en: 'PDPL personal data', ar: 'بيانات شخصية وفق نظام حماية البيانات الشخصية' },
  sensitive: { en: 'PDPL sensitive data', ar: 'بيانات حساسة وفق نظام حماية البيانات الشخصية' },
  customer: {
    en: 'SAMA customer data (outsourcing rules)',
    ar: 'بيانات عملاء وفق تعليمات الإسناد الصادرة من البنك المركزي السعودي',
  },
  secret: {
    en: 'Access secret of a customer account (SAMA)',
    ar: 'بيانات دخول سرية لحساب عميل (البنك المركزي السعودي)',
  },
  classification: { en: 'NDMO data classification', ar: 'سياسة تصنيف البيانات (مكتب إدارة البيانات الوطنية)' },
};

interface KindRule {
  readonly basis: Basis;
  readonly en: string; // what it is, after the basis
  readonly ar: string;
  /** `mask` keeps the last four characters. */
  readonly action?: 'mask';
  /** Must not leave even redacted. */
  readonly blocks?: true;
  /** Must not leave together with an identifier that could only be flagged. */
  readonly graveTogether?: true;
}

/** Every kind of finding. The names are public: clients show them, placeholders carry them. */
export const KINDS = {
  'National ID': { basis: 'personal', en: 'personal identification number of a citizen', ar: 'رقم الهوية الوطنية' },
  Iqama: { basis: 'personal', en: 'personal identification number of a resident', ar: 'رقم هوية مقيم' },
  Passport: { basis: 'personal', en: 'passport number', ar: 'رقم جواز السفر' },
  'Border Number': { basis: 'personal', en: 'border or visa number of a visitor', ar: 'رقم الحدود أو التأشيرة' },
  'Driving Licence': { basis: 'personal', en: 'licence number', ar: 'رقم رخصة القيادة' },
  'Policy Number': { basis: 'personal', en: 'number of an insurance policy', ar: 'رقم وثيقة تأمين' },
  'Person Name': { basis: 'personal', en: 'name of a person', ar: 'اسم شخص' },
  'Phone Number': { basis: 'personal', en: 'contact number', ar: 'رقم تواصل', action: 'mask' },
  Email: { basis: 'personal', en: 'e-mail address', ar: 'بريد إلكتروني' },
  'National Address': { basis: 'personal', en: 'national address', ar: 'العنوان الوطني' },
  Address: { basis: 'personal', en: 'postal or street address', ar: 'عنوان سكن أو مراسلة' },
  'Date of Birth': { basis: 'personal', en: 'date of birth', ar: 'تاريخ ميلاد' },
  'Employee ID': { basis: 'personal', en: 'employee or student number', ar: 'رقم وظيفي أو جامعي' },
  'Vehicle Plate': {
    basis: 'personal',
    en: 'plate of a vehicle (personal property)',
    ar: 'لوحة مركبة (ممتلكات شخصية)',
  },
  'IP Address': { basis: 'personal', en: 'network address that points to a person', ar: 'عنوان شبكة يدل على شخص' },
  Location: { basis: 'personal', en: 'where a person lives or is', ar: 'موقع شخص أو مكان سكنه' },
  IBAN: { basis: 'customer', en: 'bank account number (IBAN)', ar: 'رقم آيبان', action: 'mask' },
  'Bank Account': { basis: 'customer', en: 'bank account number', ar: 'رقم حساب بنكي' },
  'Card Number': { basis: 'customer', en: 'payment card number', ar: 'رقم بطاقة دفع', action: 'mask' },
  Salary: { basis: 'customer', en: 'income of a person', ar: 'دخل شخص أو راتبه' },
  'Financial Data': { basis: 'customer', en: 'balance or payment of an account', ar: 'رصيد حساب أو تعاملاته' },
  'Credit Data': { basis: 'sensitive', en: 'credit data', ar: 'بيانات ائتمانية' },
  'Commercial Registration': { basis: 'customer', en: 'registration number of a business', ar: 'رقم سجل تجاري' },
  'VAT Number': { basis: 'customer', en: 'tax number of a business', ar: 'رقم ضريبي' },
  'Medical Record Number': {
    basis: 'sensitive',
    en: 'health data (patient file number)',
    ar: 'بيانات صحية (رقم ملف طبي)',
  },
  Health: { basis: 'sensitive', en: 'health data', ar: 'بيانات صحية', graveTogether: true },
  Biometric: { basis: 'sensitive', en: 'biometric data', ar: 'سمات حيوية', graveTogether: true },
  Genetic: { basis: 'sensitive', en: 'genetic data', ar: 'بيانات وراثية', graveTogether: true },
  'Religion or Belief': { basis: 'sensitive', en: 'religious or political belief', ar: 'معتقد ديني أو فكري أو سياسي' },
  'Ethnic or Tribal Origin': { basis: 'sensitive', en: 'ethnic or tribal origin', ar: 'أصل عرقي أو قبلي' },
  'Association Membership': { basis: 'sensitive', en: 'membership of an association', ar: 'عضوية جمعية أو نقابة' },
  'Criminal Record': {
    basis: 'sensitive',
    en: 'criminal or security data',
    ar: 'بيانات جنائية أو أمنية',
    graveTogether: true,
  },
  Parentage: { basis: 'sensitive', en: 'unknown parentage', ar: 'جهالة أحد الأبوين أو كليهما' },
  Credential: { basis: 'secret', en: 'password, code or key', ar: 'كلمة مرور أو رمز أو مفتاح', blocks: true },
  'Government Secret': { basis: 'classification', en: 'marked as classified', ar: 'محتوى مصنف', blocks: true },
} as const satisfies Readonly<Record<string, KindRule>>;

export type Kind = keyof typeof KINDS;

export const KIND_NAMES = Object.keys(KINDS) as readonly Kind[];

export function ruleOf(kind: Kind): KindRule {
  return KINDS[kind];
}

/** Why a compliance officer would object, in the language of the text. */
export function whyOf(kind: Kind, language: Language): string {
  const rule = ruleOf(kind);
  return `${BASES[rule.basis][language]}: ${rule[language]}`;
}

/** What may happen to a text with these findings. */
export function verdictOf(findings: readonly { readonly kind: Kind; readonly action: Finding['action'] }[]): Verdict {
  if (findings.length === 0) return 'allow';
  const grave = findings.some((finding) => ruleOf(finding.kind).graveTogether === true);
  // A place is flagged when it is as wide as a city: that identifies nobody.
  const onlyFlagged = findings.some((finding) => finding.action === 'flag' && finding.kind !== 'Location');
  if (grave && onlyFlagged) return 'block';
  return findings.some((finding) => ruleOf(finding.kind).blocks === true) ? 'block' : 'redact';
}
