import {
  type InfiniteData,
  keepPreviousData,
  type UseInfiniteQueryResult,
  type UseMutationResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { type Answer, type ApiError, type AskOptions, ask, askTagged, type Input, type OperationId } from './client.ts';

interface Options {
  readonly enabled?: boolean;
  /** Asked again after so long. */
  readonly everyMs?: number;
}

/** What an operation answers, kept under its name and input: `invalidateQueries({ queryKey: ['listAgents'] })` asks again. */
export function useAsk<Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  { enabled = true, everyMs }: Options = {},
): UseQueryResult<Answer<Id>, ApiError> {
  return useQuery<Answer<Id>, ApiError>({
    queryKey: [id, input],
    queryFn: async ({ signal }) => (await ask(id, input, { signal })) ?? (null as Answer<Id>),
    ...{ enabled, refetchInterval: everyMs ?? false, placeholderData: keepPreviousData as never },
  });
}

/** For editors: with the tag to be sent back as `ifMatch`. Never asked again by itself, so that the tag is that of what is edited. */
export function useAskTagged<Id extends OperationId>(
  id: Id,
  input: Input<Id>,
): UseQueryResult<{ readonly value: Answer<Id>; readonly tag: string | undefined }, ApiError> {
  return useQuery({
    queryKey: [id, input, 'tagged'],
    queryFn: ({ signal }) => askTagged(id, input, { signal }),
    ...{ staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnWindowFocus: false, refetchOnReconnect: false },
  });
}

/** An operation that answers pages, as one list that grows. */
export function usePages<Id extends PagedId>(
  id: Id,
  query: Omit<NonNullable<Input<Id>['query']>, 'after'>,
  params?: Input<Id>['params'],
  { enabled = true, everyMs }: Options = {},
): Pages<ItemOf<Id>> {
  const found = useInfiniteQuery({
    queryKey: [id, params ?? {}, query, 'pages'],
    queryFn: ({ pageParam, signal }) => {
      const input = { ...(params && { params }), query: { ...query, ...(pageParam !== null && { after: pageParam }) } };
      return ask(id, input as unknown as Input<Id>, { signal }) as Promise<Page<ItemOf<Id>>>;
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    ...{ enabled, refetchInterval: everyMs ?? false },
    placeholderData: keepPreviousData as never,
  }) as UseInfiniteQueryResult<InfiniteData<Page<ItemOf<Id>>>, ApiError>;
  return {
    items: found.data?.pages.flatMap(({ items }) => items),
    error: found.error,
    hasMore: found.hasNextPage,
    isLoadingMore: found.isFetchingNextPage,
    more: () => void found.fetchNextPage(),
    again: () => void found.refetch(),
  };
}

interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}
type PagedId = {
  [Id in OperationId]: Answer<Id> extends { items: unknown[]; next: string | null } ? Id : never;
}[OperationId];
export type ItemOf<Id extends OperationId> = Answer<Id> extends { items: (infer T)[] } ? T : never;

/** A list as far as it was asked for; `items` is undefined until the first page is here. */
export interface Pages<T> {
  readonly items: readonly T[] | undefined;
  readonly error: ApiError | null;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  more(): void;
  again(): void;
}

/** An operation that changes something; what is asked by `stale` is asked again afterwards. */
export function useChange<Id extends OperationId>(
  id: Id,
  stale: readonly OperationId[] = [],
): UseMutationResult<Answer<Id>, ApiError, Input<Id> & { readonly options?: AskOptions }> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ options, ...input }) => ask(id, input as unknown as Input<Id>, options),
    onSuccess: async () => {
      await Promise.all(stale.map((one) => client.invalidateQueries({ queryKey: [one] })));
    },
  });
}
