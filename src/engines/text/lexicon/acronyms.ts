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
export const CAPITAL_WORDS: ReadonlySet<string> = new Set(
  (
    'A I AM AN AND ANY ARE AS AT BE BIG BUT BUY BY CALL CAN DEAR DID DO DONT DUE EACH END FAST FEW FIND FOR FREE FROM FULL GET GIVE GO GOOD GOT HAD HAS ' +
    'HAVE HE HELLO HELP HER HERE HI HIM HIS HOT HOW IF IN INTO IS ITS JUST KEEP LAST LATE LESS LET LIKE LIVE LONG LOW MAIN MAKE MANY MAY ME MISS MORE ' +
    'MOST MUST MY NEED NEVER NEW NEXT NICE NO NOT NOTE NOW OF OFF OLD ON ONE ONLY OPEN OR OTHER OUR OUT OVER OWN PAID PAY PER PLUS PRESS READ REAL SALE ' +
    'SAME SAVE SAY SEE SEND SHE SHOP SHOW SO SOME SOON STAY STOP SURE TAKE TEN THAN THANK THAT THE THEIR THEM THEN THERE THESE THEY THIS TIME TO TODAY ' +
    'TOO TRY TWO UP UPON URGENT US USE VERY VIA VISIT WAIT WANT WAS WAY WE WELL WENT WERE WHAT WHEN WHERE WHICH WHY WILL WITH WORK YES YET YOU YOUR ZERO ' +
    'ALL ALSO BACK BEST BOTH CASH CITY CLOSE DATE DAY DEBIT DONE DOWN EAST EASY EVEN FINAL FIRST FIVE FOUR GATE GOLD HIGH HOME HOTEL LEFT LINE LIST ' +
    'BELL EXIT PUSH PULL FIRE WATER ENTER START BEGIN CLICK TAP HOLD RESET CLEAR ALERT DANGER SAFE STAFF GUEST LADY LADIES MEN WOMEN KIDS BABY FOOD DRINK LUNCH MENU TABLE CHAIR LOVE LIFE HAPPY PEACE WORLD HOUSE KING QUEEN BLACK WHITE RED BLUE GREEN PINK BROWN GREY DARK LIGHT SMALL LARGE BIGGER EXTRA SUPER MEGA MAJOR MINOR EMPTY FULLY BUSY READY WRONG ERROR FAIL FAILS TRUE FALSE ABOVE BELOW AFTER EARLY TODAY NIGHT MONTH WEEK HOUR DAILY EVERY AGAIN ALONE ALONG AMONG APART ASIDE AWAY AWARE BASIC BEING CHECK CLAIM COULD EIGHT EQUAL EXACT FIXED FRESH FRONT GIVEN GREAT GROUP HEAVY HUMAN INSIDE ISSUE ITEM JOIN KNOW LATER LEAST LEAVE LEVEL LIMIT LOCAL LOWER MIGHT MONEY MOVE MUCH NEAR NEWS NINE NONE NORMAL OFFER OFTEN ORDER OWNER PAPER PAUSE PHONE PLACE POINT POWER PRESS PRIOR QUICK QUIET QUITE REACH REPLY SCORE SEVEN SHALL SHARE SHORT SHOULD SINCE SLOW SMART SORRY SOUND SPACE SPEAK STAND STILL STORE STUFF TERMS THINK THIRD TITLE TOUCH TRAIN TRUST TWICE UPPER USUAL VALID VALUE VIDEO VOICE WATCH WHILE WHOLE WORD WORSE WORST WORTH WOULD WRITE YOUNG YOURS BOOK BUS CAR DOOR FISH FLOOR GAME GIFT GIRL GOAL HAIR HALF HALL HAND HARD HEAD HOPE IDEA KEY KIND LAND LAW LEAD MAP MARK MEAT MIND MISS MODE MOON NET NINTH PAGE PAIR PASS PAST PATH PINK PLAY POOL PORT RACE RAIN RATE RENT REST RICE RIDE RING RISK RULE SEA SEAT SELF SELL SET SHOE SHUT SICK SIGN SIZE SKIN SKY SOAP SOFT SONG SORT SPOT STAR STEP SUN TALK TALL TASK TEA TEST TICK TIP TOWN TREE TRIP TURN TYPE USED VIEW VOTE WALK WALL WARM WASH WEAK WEAR WIDE WIFE WILD WIN WIND WISE WOOD ZONE' +
    ' NAME NORTH PARK PART PLAN POST PRICE RIGHT ROAD ROOM SIDE SIX SOUTH TAX TEAM TERM TEXT THREE TOP TOTAL UNDER UNIT UNTIL WEST YEAR'
  ).split(' '),
);
