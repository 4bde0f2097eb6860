/** As jsonb takes it: no zero character in a string. */
export const storedJson = (value: object): string => JSON.stringify(value).replaceAll('\\u0000', '');
