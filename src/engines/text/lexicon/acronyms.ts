import { listsOf } from '../../../language/lists.ts';

const list = listsOf('engines/text/lexicon/data/acronyms.tsv');

/**
 * Acronyms known by name. A missing `ar` is spelled letter by letter in Arabic; a missing `en` is spelled in English.
 * Words that are capitals but read as words have both.
 */
export interface Acronym {
  readonly ar?: string;
  readonly en?: string;
}

const spelled: Acronym = {};

export const ACRONYMS: ReadonlyMap<string, Acronym> = new Map<string, Acronym>([
  ...(
    'STC OTP SMS PDF ATM IVR CRM ERP API URL USB HTML HTTP HTTPS FTP VPN DNS IP TV CEO CFO CTO COO HR PR QR GPS LED LCD PC UPS SLA KPI FAQ ' +
    'ID VIP DVD CD SUV BMW GMC MBC CNN BBC HSBC SNB ANB BSF SABB SAIB NCB IELTS MRI CT ICU ER GP PCR DNA HIV USA UK UAE KSA GCC EU UN WHO ' +
    'IMF FBI CIA SQL CSS XML JSON PHP CPU GPU SSD HDD NFC RFID IOT AI IT UX UI SEO B2B B2C NDA MOU RFP RFQ PO CV MBA BA MA PHD GMT PST EST AST ' +
    'KYC AML POS EFT CVV CVC IPO ETF ESG LNG LPG KFC JFK DXB RUH JED DMM SFDA NDMO CITC CST HRDF TVTC KFSH KFUPM KSU KAU PDPL ' +
    'GDPR DHL UPC TNT PMO QA QC RTP SIP VOIP DTMF PBX MMS HD UHD FHD AC DC FM ETA ETD COD EMI APR CSR SDK IDE SSL TLS SSH LTE ISP ADSL FTTH EV PTO'
  )
    .split(' ')
    .map((name) => [name, spelled] as const),
  ['VAT', { ar: 'ضريبة القيمة المضافة' }],
  ['SAR', { ar: 'ريال', en: 'Saudi riyals' }],
  ['USD', { ar: 'دولار', en: 'U S dollars' }],
  ['AED', { ar: 'درهم', en: 'dirhams' }],
  ['AM', { ar: 'صباحاً', en: 'AM' }],
  ['PM', { ar: 'مساءً', en: 'PM' }],
  ['ZIP', { ar: 'زب', en: 'ZIP' }],
  ['PIN', { ar: 'بين', en: 'PIN' }],
  ['SIM', { ar: 'سيم', en: 'SIM' }],
  ['VISA', { ar: 'فيزا', en: 'Visa' }],
  ['IBAN', { ar: 'آيبان', en: 'IBAN' }],
  ['SWIFT', { ar: 'سويفت', en: 'SWIFT' }],
  ['WIFI', { ar: 'واي فاي', en: 'wifi' }],
  ['OK', { ar: 'أوكي', en: 'OK' }],
  ['NEOM', { ar: 'نيوم', en: 'NEOM' }],
  ['SABIC', { ar: 'سابك', en: 'SABIC' }],
  ['SADAD', { ar: 'سداد', en: 'SADAD' }],
  ['MADA', { ar: 'مدى', en: 'mada' }],
  ['SAMA', { ar: 'ساما', en: 'SAMA' }],
  ['ZATCA', { ar: 'زاتكا', en: 'ZATCA' }],
  ['GOSI', { ar: 'جوسي', en: 'GOSI' }],
  ['KAUST', { ar: 'كاوست', en: 'KAUST' }],
  ['SMSA', { ar: 'سمسا', en: 'SMSA' }],
  ['NASA', { ar: 'ناسا', en: 'NASA' }],
  ['OPEC', { ar: 'أوبك', en: 'OPEC' }],
  ['NATO', { ar: 'الناتو', en: 'NATO' }],
  ['FIFA', { ar: 'فيفا', en: 'FIFA' }],
  ['ISO', { ar: 'آيزو', en: 'ISO' }],
  ['TOEFL', { ar: 'توفل', en: 'TOEFL' }],
  ['SASO', { ar: 'ساسو', en: 'SASO' }],
  ['SDAIA', { ar: 'سدايا', en: 'SDAIA' }],
  ['TASI', { ar: 'تاسي', en: 'TASI' }],
  ['LEAP', { ar: 'ليب', en: 'LEAP' }],
  ['UNESCO', { ar: 'اليونسكو', en: 'UNESCO' }],
  ['UNICEF', { ar: 'اليونيسف', en: 'UNICEF' }],
  ['AIDS', { ar: 'الإيدز', en: 'AIDS' }],
  ['LASIK', { ar: 'الليزك', en: 'LASIK' }],
  ['AMEX', { ar: 'أميكس', en: 'Amex' }],
  ['ARAMCO', { ar: 'أرامكو', en: 'Aramco' }],
  ['SAP', { ar: 'ساب' }],
  ['RAM', { ar: 'رام', en: 'RAM' }],
  ['COVID', { ar: 'كوفيد', en: 'COVID' }],
  ['IKEA', { ar: 'إيكيا', en: 'IKEA' }],
  ['SACO', { ar: 'ساكو', en: 'SACO' }],
  ['ASAP', { ar: 'في أقرب وقت', en: 'as soon as possible' }],
  ['FYI', { ar: 'للعلم', en: 'for your information' }],
  ['ETC', { ar: 'إلى آخره', en: 'et cetera' }],
  ['WWI', { ar: 'الحرب العالمية الأولى', en: 'World War one' }],
  ['WWII', { ar: 'الحرب العالمية الثانية', en: 'World War two' }],
  ['VS', { ar: 'مقابل', en: 'versus' }],
]);

/** Capitals that are ordinary English words: emphasis, not acronyms. */
export const CAPITAL_WORDS: ReadonlySet<string> = new Set(list('capital-words'));
