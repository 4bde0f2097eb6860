import { useEffect } from 'react';
import type { TrunkDefinition } from '../../../core/trunk.ts';
import type { TrunkStatus } from '../../../core/trunk-status.ts';
import type { Answer, Input } from '../../api/client.ts';
import { type ItemOf, type Pages, usePages } from '../../api/hooks.ts';
import { useLiveRefresh } from '../../api/live.ts';

export type NumberEntry = ItemOf<'listNumbers'>;
export type Phone = ItemOf<'listPhones'>;
export type Agent = ItemOf<'listAgents'>;
export type Recipe = Answer<'listTrunkRecipes'>['items'][number];
export type RecipeAsk = Recipe['asks'][number];
export interface Trunk extends Omit<ItemOf<'listTrunks'>, 'definition' | 'status'> {
  readonly definition: TrunkDefinition | null;
  readonly status: readonly TrunkStatus[];
}

const ALL = { limit: 200 };

/** A list to its end: of what a picture shows all of. */
function useWhole<T>(pages: Pages<T>): Pages<T> {
  const { hasMore, isLoadingMore, more } = pages;
  useEffect(() => {
    if (hasMore && !isLoadingMore) more();
  });
  return pages;
}

export const useNumbers = (): Pages<NumberEntry> => useWhole(usePages('listNumbers', ALL));
export const useAgents = (): Pages<Agent> => useWhole(usePages('listAgents', ALL));
export const usePhones = (): Pages<Phone> => useWhole(usePages('listPhones', ALL));

/** With their state as it changes. */
export function useTrunks(): Pages<Trunk> {
  useLiveRefresh(['listTrunks'], ['trunk.changed']);
  return useWhole(usePages('listTrunks', ALL)) as unknown as Pages<Trunk>;
}

/** Of the one shape of trunks that every part of the gateway shares, in the words of the operation. */
export const sendable = (body: { readonly definition: TrunkDefinition }): Input<'createTrunk'>['body'] =>
  body as unknown as Input<'createTrunk'>['body'];
