import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { isNetwork } from '../core/address-filter.ts';

/** Holds the texts once for sources and build. */
const FILE = new URL('../../src/manage/data/trunk-recipes.yaml', import.meta.url);

type Words = Readonly<Record<'en' | 'ar', string>>;
/** What a recipe is filled in with beside the gateway's own addresses. */
export const RECIPE_ASKS = ['theirs', 'number', 'username'] as const;
export type RecipeAsk = (typeof RECIPE_ASKS)[number];

interface RecipePart {
  readonly title: Words;
  readonly text?: string;
  readonly fields?: readonly (readonly [string, string])[];
}
interface Recipe {
  readonly id: string;
  readonly name: Words;
  readonly about: Words;
  readonly asks: readonly RecipeAsk[];
  readonly definition: object;
  readonly there: readonly RecipePart[];
  readonly notes: readonly Words[];
}

/** Where this gateway is reached by others. */
export interface RecipeFacts {
  readonly address: string;
  readonly port: number;
  readonly rtpMin: number;
  readonly rtpMax: number;
}

/** Stand-ins until somebody has said what it is. */
const EXAMPLES: Readonly<Record<RecipeAsk, string>> = { theirs: '192.0.2.10', number: '1000', username: '500123' };

export interface FilledRecipe {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly asks: readonly RecipeAsk[];
  readonly definition: object;
  readonly there: readonly { readonly title: string; readonly text: string; readonly fields: readonly Field[] }[];
  readonly notes: readonly string[];
}
interface Field {
  readonly name: string;
  readonly value: string;
}

/** The recipes, in one language, with everything filled in. */
export class TrunkRecipes {
  #read: readonly Recipe[] | undefined;

  fill(facts: RecipeFacts, asked: Partial<Record<RecipeAsk, string>>, language: 'en' | 'ar'): FilledRecipe[] {
    this.#read ??= (parse(readFileSync(FILE, 'utf8')) as { readonly recipes: readonly Recipe[] }).recipes;
    return this.#read.map((recipe) => {
      const values: Readonly<Record<string, string>> = {
        ...EXAMPLES,
        ...asked,
        name: recipe.id,
        ...{ address: facts.address, port: String(facts.port) },
        ...{ rtp_min: String(facts.rtpMin), rtp_max: String(facts.rtpMax) },
      };
      const filled = (text: string): string => text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
      return {
        ...{ id: recipe.id, name: recipe.name[language], about: filled(recipe.about[language]), asks: recipe.asks },
        definition: storable(everyText(recipe.definition, filled)),
        there: recipe.there.map(({ title, text = '', fields = [] }) => ({
          ...{ title: title[language], text: filled(text) },
          fields: fields.map(([name, value]) => ({ name, value: filled(value) })),
        })),
        notes: recipe.notes.map((note) => filled(note[language])),
      };
    });
  }
}

/** Calls are known by addresses: a host name among the sources would be refused. */
function storable(definition: unknown): object {
  const { inbound, ...rest } = definition as { readonly inbound: { readonly sources: readonly string[] } };
  return { ...rest, inbound: { ...inbound, sources: inbound.sources.filter(isNetwork) } };
}

function everyText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => everyText(one, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, everyText(one, change)]));
}
