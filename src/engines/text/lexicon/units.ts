import type { Noun } from './nouns.ts';

/** A unit of measure: how it is written after a number, and said in both languages. */
export interface Unit {
  /** Spellings, exact case; Arabic ones without dots. `°` and `²` are written here as they are in text. */
  readonly signs: readonly string[];
  readonly ar: Noun;
  /** Adjective after the Arabic noun, masculine singular (مربع, مئوي). */
  readonly arAdjective?: string;
  /** Said after noun and adjective (`في الساعة`). */
  readonly arTail?: string;
  readonly en: readonly [singular: string, plural: string];
}

const m = (singular: string, plural: string): Noun => ({ singular, plural, gender: 'm' });
const f = (singular: string, plural: string): Noun => ({ singular, plural, gender: 'f' });
const fixed = (singular: string): Noun => ({ singular, plural: singular, gender: 'm', fixed: true });

const METRE = m('متر', 'أمتار');
const KILOMETRE = m('كيلومتر', 'كيلومترات');
const CENTIMETRE = m('سنتيمتر', 'سنتيمترات');
const MILLIMETRE = m('مليمتر', 'مليمترات');
export const FOOT = f('قدم', 'أقدام');
export const INCH = f('بوصة', 'بوصات');
const BIT = ['كيلوبت', 'ميجابت', 'جيجابت'].map(fixed);
const SECOND_TAIL = 'في الثانية';

export const HOUR: Unit = {
  signs: ['سا', 'hr', 'hrs', 'h', 'Hrs'],
  ar: f('ساعة', 'ساعات'),
  en: ['hour', 'hours'],
};
export const MINUTE: Unit = {
  signs: ['د', 'دق', 'min', 'mins', 'Min'],
  ar: f('دقيقة', 'دقائق'),
  en: ['minute', 'minutes'],
};

export const BLOOD_PRESSURE: Unit = {
  signs: ['mmHg'],
  ar: m('مليمتر', 'مليمترات'),
  arTail: 'زئبق',
  en: ['millimeter of mercury', 'millimeters of mercury'],
};

export const UNITS: readonly Unit[] = [
  { signs: ['كم', 'km', 'KM', 'Km', 'kms'], ar: KILOMETRE, en: ['kilometer', 'kilometers'] },
  { signs: ['م', 'متر', 'm'], ar: METRE, en: ['meter', 'meters'] },
  { signs: ['سم', 'cm', 'CM'], ar: CENTIMETRE, en: ['centimeter', 'centimeters'] },
  { signs: ['مم', 'ملم', 'mm'], ar: MILLIMETRE, en: ['millimeter', 'millimeters'] },
  {
    signs: ['م²', 'م2', 'م^2', 'متر²', 'متر مربع', 'm²', 'm2', 'm^2', 'sqm', 'sq m', 'sq.m', 'sq. m'],
    ar: METRE,
    arAdjective: 'مربع',
    en: ['square meter', 'square meters'],
  },
  {
    signs: ['كم²', 'كم2', 'كيلومتر مربع', 'km²', 'km2', 'km^2', 'sq km'],
    ar: KILOMETRE,
    arAdjective: 'مربع',
    en: ['square kilometer', 'square kilometers'],
  },
  {
    signs: ['سم²', 'سم2', 'cm²', 'cm2'],
    ar: CENTIMETRE,
    arAdjective: 'مربع',
    en: ['square centimeter', 'square centimeters'],
  },
  {
    signs: ['م³', 'م3', 'متر³', 'متر مكعب', 'm³', 'm3', 'm^3'],
    ar: METRE,
    arAdjective: 'مكعب',
    en: ['cubic meter', 'cubic meters'],
  },
  {
    signs: ['سم³', 'سم3', 'cm³', 'cm3', 'cc'],
    ar: CENTIMETRE,
    arAdjective: 'مكعب',
    en: ['cubic centimeter', 'cubic centimeters'],
  },
  {
    signs: ['قدم²', 'قدم مربع', 'قدم مربعة', 'ft²', 'ft2', 'sqft', 'sq ft', 'sq. ft', 'sq.ft'],
    ar: FOOT,
    arAdjective: 'مربع',
    en: ['square foot', 'square feet'],
  },
  { signs: ['ft'], ar: FOOT, en: ['foot', 'feet'] },
  { signs: ['in', '"', '″', 'بوصة', 'inch'], ar: INCH, en: ['inch', 'inches'] },
  { signs: ['yd'], ar: f('ياردة', 'ياردات'), en: ['yard', 'yards'] },
  { signs: ['mi'], ar: m('ميل', 'أميال'), en: ['mile', 'miles'] },
  {
    signs: ['كم/س', 'كم/ساعة', 'كلم/س', 'كم / س', 'km/h', 'kmh', 'kph', 'KM/H', 'km/hr'],
    ar: KILOMETRE,
    arTail: 'في الساعة',
    en: ['kilometer per hour', 'kilometers per hour'],
  },
  { signs: ['كلم'], ar: KILOMETRE, en: ['kilometer', 'kilometers'] },
  { signs: ['mph'], ar: m('ميل', 'أميال'), arTail: 'في الساعة', en: ['mile per hour', 'miles per hour'] },
  {
    signs: ['م/ث²', 'm/s²', 'm/s2'],
    ar: METRE,
    arTail: 'في الثانية المربعة',
    en: ['meter per second squared', 'meters per second squared'],
  },
  { signs: ['م/ث', 'م/ثانية', 'm/s'], ar: METRE, arTail: SECOND_TAIL, en: ['meter per second', 'meters per second'] },
  {
    signs: ['كجم', 'كغ', 'كغم', 'كج', 'كيلوغرام', 'كيلوجرام', 'kg', 'KG', 'Kg', 'kgs', 'KGS'],
    ar: m('كيلوغرام', 'كيلوغرامات'),
    en: ['kilogram', 'kilograms'],
  },
  {
    signs: ['جم', 'غم', 'غ', 'جرام', 'غرام', 'g', 'gm', 'gr', 'grams'],
    ar: m('غرام', 'غرامات'),
    en: ['gram', 'grams'],
  },
  { signs: ['ملغ', 'ملجم', 'مجم', 'ملغم', 'mg', 'MG'], ar: m('مليغرام', 'مليغرامات'), en: ['milligram', 'milligrams'] },
  { signs: ['mcg', 'µg', 'μg', 'ميكروغرام'], ar: m('ميكروغرام', 'ميكروغرامات'), en: ['microgram', 'micrograms'] },
  { signs: ['طن', 'ton', 't'], ar: m('طن', 'أطنان'), en: ['ton', 'tons'] },
  { signs: ['lb', 'lbs', 'رطل'], ar: m('رطل', 'أرطال'), en: ['pound', 'pounds'] },
  { signs: ['oz'], ar: f('أونصة', 'أونصات'), en: ['ounce', 'ounces'] },
  { signs: ['ل', 'لتر', 'L', 'l', 'Ltr', 'ltr'], ar: m('لتر', 'لترات'), en: ['liter', 'liters'] },
  { signs: ['مل', 'ملل', 'مليلتر', 'ml', 'mL', 'ML'], ar: m('مليلتر', 'مليلترات'), en: ['milliliter', 'milliliters'] },
  { signs: ['tbsp', 'Tbsp', 'tbs'], ar: f('ملعقة', 'ملاعق'), arAdjective: 'كبير', en: ['tablespoon', 'tablespoons'] },
  { signs: ['tsp', 'Tsp'], ar: f('ملعقة', 'ملاعق'), arAdjective: 'صغير', en: ['teaspoon', 'teaspoons'] },
  { signs: ['gal'], ar: m('غالون', 'غالونات'), en: ['gallon', 'gallons'] },
  { signs: ['هكتار', 'ha'], ar: m('هكتار', 'هكتارات'), en: ['hectare', 'hectares'] },
  {
    signs: ['°م', '° م', '℃', '°C', '° C', '°س', 'ºC', 'درجة مئوية', 'درجات مئوية'],
    ar: f('درجة', 'درجات'),
    arAdjective: 'مئوي',
    en: ['degree Celsius', 'degrees Celsius'],
  },
  {
    signs: ['°ف', '℉', '°F', '° F', 'ºF'],
    ar: f('درجة', 'درجات'),
    arAdjective: 'فهرنهايت',
    en: ['degree Fahrenheit', 'degrees Fahrenheit'],
  },
  { signs: ['°', 'º', 'درجة', 'درجات'], ar: f('درجة', 'درجات'), en: ['degree', 'degrees'] },
  { signs: ['KB', 'kB', 'كيلوبايت'], ar: fixed('كيلوبايت'), en: ['kilobyte', 'kilobytes'] },
  { signs: ['MB', 'ميجابايت', 'ميغابايت', 'م.ب'], ar: fixed('ميجابايت'), en: ['megabyte', 'megabytes'] },
  { signs: ['GB', 'جيجابايت', 'غيغابايت', 'ج.ب'], ar: fixed('جيجابايت'), en: ['gigabyte', 'gigabytes'] },
  { signs: ['TB', 'تيرابايت'], ar: fixed('تيرابايت'), en: ['terabyte', 'terabytes'] },
  {
    signs: ['kbps', 'Kbps', 'kb/s', 'Kb/s'],
    ar: BIT[0]!,
    arTail: SECOND_TAIL,
    en: ['kilobit per second', 'kilobits per second'],
  },
  {
    signs: ['Mbps', 'mbps', 'MBPS', 'Mb/s', 'Mbit/s'],
    ar: BIT[1]!,
    arTail: SECOND_TAIL,
    en: ['megabit per second', 'megabits per second'],
  },
  {
    signs: ['Gbps', 'gbps', 'Gb/s'],
    ar: BIT[2]!,
    arTail: SECOND_TAIL,
    en: ['gigabit per second', 'gigabits per second'],
  },
  {
    signs: ['MB/s', 'MBps'],
    ar: fixed('ميجابايت'),
    arTail: SECOND_TAIL,
    en: ['megabyte per second', 'megabytes per second'],
  },
  { signs: ['GB/s'], ar: fixed('جيجابايت'), arTail: SECOND_TAIL, en: ['gigabyte per second', 'gigabytes per second'] },
  { signs: ['Hz'], ar: fixed('هرتز'), en: ['hertz', 'hertz'] },
  { signs: ['kHz', 'KHz'], ar: fixed('كيلوهرتز'), en: ['kilohertz', 'kilohertz'] },
  { signs: ['MHz'], ar: fixed('ميجاهرتز'), en: ['megahertz', 'megahertz'] },
  { signs: ['GHz'], ar: fixed('جيجاهرتز'), en: ['gigahertz', 'gigahertz'] },
  { signs: ['MP', 'ميجابكسل'], ar: fixed('ميجابكسل'), en: ['megapixel', 'megapixels'] },
  { signs: ['px'], ar: fixed('بكسل'), en: ['pixel', 'pixels'] },
  { signs: ['fps'], ar: m('إطار', 'إطارات'), arTail: SECOND_TAIL, en: ['frame per second', 'frames per second'] },
  { signs: ['mAh', 'مللي أمبير'], ar: fixed('مللي أمبير'), arTail: 'ساعة', en: ['milliamp hour', 'milliamp hours'] },
  { signs: ['W', 'واط'], ar: fixed('واط'), en: ['watt', 'watts'] },
  { signs: ['kW', 'KW', 'كيلوواط', 'ك.و'], ar: fixed('كيلوواط'), en: ['kilowatt', 'kilowatts'] },
  { signs: ['MW', 'ميجاواط', 'ميغاواط'], ar: fixed('ميجاواط'), en: ['megawatt', 'megawatts'] },
  {
    signs: ['kWh', 'KWh', 'kwh', 'KWH', 'ك.و.س', 'كوس', 'كيلوواط/ساعة'],
    ar: fixed('كيلوواط'),
    arTail: 'ساعة',
    en: ['kilowatt hour', 'kilowatt hours'],
  },
  { signs: ['V', 'فولت'], ar: fixed('فولت'), en: ['volt', 'volts'] },
  { signs: ['A', 'أمبير'], ar: fixed('أمبير'), en: ['amp', 'amps'] },
  { signs: ['HP', 'hp'], ar: m('حصان', 'أحصنة'), en: ['horsepower', 'horsepower'] },
  {
    signs: ['rpm', 'RPM'],
    ar: f('دورة', 'دورات'),
    arTail: 'في الدقيقة',
    en: ['revolution per minute', 'revolutions per minute'],
  },
  {
    signs: ['bpm', 'BPM', 'نبضة/دقيقة', 'نبضة/د', 'نبضة بالدقيقة'],
    ar: f('نبضة', 'نبضات'),
    arTail: 'في الدقيقة',
    en: ['beat per minute', 'beats per minute'],
  },
  {
    signs: ['psi', 'PSI'],
    ar: m('رطل', 'أرطال'),
    arTail: 'على البوصة المربعة',
    en: ['pound per square inch', 'pounds per square inch'],
  },
  { signs: ['bar', 'بار'], ar: fixed('بار'), en: ['bar', 'bars'] },
  { signs: ['dB', 'ديسيبل'], ar: fixed('ديسيبل'), en: ['decibel', 'decibels'] },
  {
    signs: ['kcal', 'سعرة', 'سعرة حرارية'],
    ar: f('سعرة', 'سعرات'),
    arAdjective: 'حراري',
    en: ['kilocalorie', 'kilocalories'],
  },
  {
    signs: ['mg/dL', 'mg/dl', 'ملجم/دل', 'ملغ/دل', 'ملغم/دل', 'مجم/دل'],
    ar: m('مليغرام', 'مليغرامات'),
    arTail: 'لكل ديسيلتر',
    en: ['milligram per deciliter', 'milligrams per deciliter'],
  },
  BLOOD_PRESSURE,
  HOUR,
  MINUTE,
  { signs: ['ث', 'sec', 'secs', 's'], ar: f('ثانية', 'ثوان'), en: ['second', 'seconds'] },
  { signs: ['ms'], ar: fixed('مللي ثانية'), en: ['millisecond', 'milliseconds'] },
  { signs: ['yr', 'yrs'], ar: f('سنة', 'سنوات'), en: ['year', 'years'] },
  { signs: ['mo', 'mos', 'mo.'], ar: m('شهر', 'أشهر'), en: ['month', 'months'] },
  { signs: ['wk', 'wks'], ar: m('أسبوع', 'أسابيع'), en: ['week', 'weeks'] },
  { signs: ['pcs', 'pc'], ar: f('قطعة', 'قطع'), en: ['piece', 'pieces'] },
];

/** Arabic one-letter units that are also abbreviations of other things: read as units only where nothing else fits. */
export const AMBIGUOUS_UNITS: ReadonlySet<string> = new Set(['م', 'د', 'ل', 'غ', 'ث']);
