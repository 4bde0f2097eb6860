import { InvalidArgumentError } from 'commander';

/** Reads a whole number of an option or argument; refuses everything else with what was expected. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d{1,15}$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Expected a whole number ${min}..${max}.`);
  };
}

/** Reads a number with an optional fraction. */
export function numberBetween(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^-?\d{1,6}(?:\.\d{1,6})?$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Expected a number ${min}..${max}.`);
  };
}
