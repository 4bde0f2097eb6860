import {
  type AgentAction,
  type AgentDefinition,
  type FlowDefinition,
  type Localized,
  type LocalizedList,
  languageOf,
  type SlotDefinition,
  type ToolDefinition,
} from '../core/agent.ts';
import { type Notice, notice } from '../core/notice.ts';
import { closest } from './problems.ts';
import type { YamlPath } from './yaml-file.ts';

/** Something about an agent that its author should know. An error will not work as it was meant; a warning may be meant so. */
export interface AgentFinding {
  readonly severity: 'error' | 'warning';
  readonly path: YamlPath;
  readonly said: Notice;
}

const VARIABLE = /\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;
/** Values that outlive their flow: later flows may name them. */
const REMEMBERED = new Set(['digits', 'phone', 'name']);

/**
 * What an agent of the right shape means, as far as the file alone tells: variables that nothing fills, wishes and flows that
 * nobody reaches, values without rules. Pure.
 */
export function agentFindings(agent: AgentDefinition): AgentFinding[] {
  return [...unfilledVariables(agent), ...unreachable(agent), ...unruledSlots(agent), ...ownerless(agent)];
}

/** Columns that tell of a person, by how they are usually called. */
const PERSONAL =
  /(?:^|_)(?:name|patient|customer|client|guest|owner|phone|mobile|email|address|street|birth|birthday|balance|diagnosis|doctor)(?:_|$)/;

/** Look-ups that tell or do something personal to whoever has the key. */
function ownerless(agent: AgentDefinition): AgentFinding[] {
  const { tables = {}, belongsTo = {} } = agent;
  return (agent.flows ?? []).flatMap(({ actions }, flow) =>
    actions.flatMap((action, index): AgentFinding[] => {
      if (action.type !== 'lookup' || action.open || Object.hasOwn(belongsTo, action.table)) return [];
      const personal = [...new Set((tables[action.table] ?? []).flatMap((row) => Object.keys(row)))].filter((column) =>
        PERSONAL.test(column.toLowerCase()),
      );
      if (personal.length === 0) return [];
      const { key, table } = action;
      const said = notice('agent.tells-everybody', { key, table, columns: personal.join(', ') });
      return [{ severity: 'warning', path: ['flows', flow, 'actions', index], said }];
    }),
  );
}

/** A text of the agent, and the names that have a value where it is said. */
interface SaidText {
  readonly path: YamlPath;
  readonly text: string;
  readonly known: ReadonlySet<string>;
  /** Fields of a tool's answer: any name may have a value. */
  readonly open: boolean;
}

function unfilledVariables(agent: AgentDefinition): AgentFinding[] {
  return saidTexts(agent).flatMap(({ path, text, known, open }) =>
    [...text.matchAll(VARIABLE)]
      .map((match) => match[1]!)
      .filter((name) => !known.has(name) && !open)
      .map((name): AgentFinding => {
        const meant = closest(name, [...known]);
        const variable = `{{${name}}}`;
        return meant === undefined
          ? { severity: 'warning', path, said: notice('agent.unfilled', { variable, name }) }
          : { severity: 'error', path, said: notice('agent.unfilled-meant', { variable, meant: `{{${meant}}}` }) };
      }),
  );
}

function saidTexts(agent: AgentDefinition): SaidText[] {
  const texts: SaidText[] = [];
  const everywhere = [
    ...Object.keys(agent.variables ?? {}),
    ...(agent.flows ?? []).flatMap(({ slots }) =>
      slots.filter(({ type }) => REMEMBERED.has(type)).map(({ name }) => name),
    ),
  ];
  const add = (
    path: YamlPath,
    said: Localized | LocalizedList | undefined,
    names: readonly string[] = [],
    open = false,
  ): void => {
    for (const language of ['ar', 'en'] as const) {
      const own = said?.[language];
      const list = typeof own === 'string' ? [own] : (own ?? []);
      list.forEach((text, index) => {
        const place = typeof own === 'string' ? [...path, language] : [...path, language, index];
        texts.push({ path: place, text, known: new Set([...everywhere, ...names]), open });
      });
    }
  };
  const addActions = (path: YamlPath, actions: readonly AgentAction[], names: readonly string[]): void => {
    const known = [...names];
    let open = false;
    actions.forEach((action, index) => {
      const place = actions.length === 1 && path.at(-1) === 'action' ? path : [...path, index];
      if (action.type === 'lookup') known.push(...columnsOf(agent, action.table));
      open ||= action.type === 'http';
      if ('text' in action) add([...place, 'text'], action.text, known, open);
      if (action.type !== 'lookup' && action.type !== 'http') return;
      add([...place, 'then'], action.then, known, open);
      add([...place, 'otherwise'], action.otherwise, names);
      if (action.type === 'http') addRequest(action, place, [...everywhere, ...known], texts);
    });
  };
  add(['greeting'], agent.greeting);
  add(['goodbye'], agent.goodbye);
  add(['noMatch'], agent.noMatch);
  add(['noInput'], agent.noInput);
  agent.knowledge?.forEach(({ answer }, index) => {
    add(['knowledge', index, 'answer'], answer);
  });
  for (const name of ['complaint', 'emergency'] as const) add(['routes', name, 'text'], agent.routes?.[name]?.text);
  agent.intents?.forEach(({ answer, action }, index) => {
    add(['intents', index, 'answer'], answer);
    if (action) addActions(['intents', index, 'action'], [action], allSlots(agent));
  });
  for (const [table, { prompts, otherwise }] of Object.entries(agent.belongsTo ?? {})) {
    add(['belongsTo', table, 'prompts'], prompts, allSlots(agent));
    add(['belongsTo', table, 'otherwise'], otherwise, allSlots(agent));
  }
  agent.tools?.forEach((tool, index) => {
    const path = ['tools', index];
    const names = (tool.parameters ?? []).map(({ name }) => name);
    add([...path, 'confirm'], tool.confirm, names);
    add([...path, 'then'], tool.then, names, true);
    add([...path, 'otherwise'], tool.otherwise, names);
    addRequest(tool, path, names, texts);
  });
  agent.flows?.forEach((flow, index) => {
    const names = [...flow.slots.map(({ name }) => name), ...ownerColumns(agent, flow)];
    flow.slots.forEach((slot, at) => {
      add(['flows', index, 'slots', at, 'prompts'], slot.prompts, names);
      add(['flows', index, 'slots', at, 'confirm'], slot.confirm, names);
    });
    add(['flows', index, 'confirm'], flow.confirm, names);
    addActions(['flows', index, 'actions'], flow.actions, names);
  });
  return texts;
}

/** Asked for beside the flow's own values. */
function ownerColumns({ belongsTo = {} }: AgentDefinition, { actions }: FlowDefinition): string[] {
  return actions.flatMap((action) => {
    const owner =
      action.type === 'lookup' && !action.open && Object.hasOwn(belongsTo, action.table)
        ? belongsTo[action.table]
        : undefined;
    return owner ? [owner.column] : [];
  });
}

function addRequest(
  action: Pick<ToolDefinition, 'url' | 'body'>,
  path: YamlPath,
  known: readonly string[],
  texts: SaidText[],
): void {
  const names = new Set(known);
  texts.push({ path: [...path, 'url'], text: action.url, known: names, open: false });
  for (const [field, text] of Object.entries(action.body ?? {})) {
    texts.push({ path: [...path, 'body', field], text, known: names, open: false });
  }
}

function allSlots(agent: AgentDefinition): string[] {
  return (agent.flows ?? []).flatMap(({ slots }) => slots.map(({ name }) => name));
}

function columnsOf(agent: AgentDefinition, table: string): string[] {
  return (agent.tables?.[table] ?? []).flatMap((row) => Object.keys(row));
}

function unreachable(agent: AgentDefinition): AgentFinding[] {
  const language = languageOf(agent.language);
  const begun = new Set((agent.intents ?? []).map(({ flow }) => flow));
  const flows = (agent.flows ?? []).flatMap((flow: FlowDefinition, index): AgentFinding[] =>
    begun.has(flow.name)
      ? []
      : [
          {
            severity: 'error',
            path: ['flows', index, 'name'],
            said: notice('agent.flow-not-begun', { flow: flow.name }),
          },
        ],
  );
  const intents = (agent.intents ?? []).flatMap(({ name, examples }, index): AgentFinding[] => {
    if (examples[language] !== undefined) return [];
    const said = notice('agent.no-example', { intent: name, language: notice(`language.${language}`) });
    return [{ severity: 'warning', path: ['intents', index, 'examples'], said }];
  });
  return [...flows, ...intents];
}

function unruledSlots(agent: AgentDefinition): AgentFinding[] {
  return (agent.flows ?? []).flatMap(({ slots }, flow) =>
    slots.flatMap((slot, index): AgentFinding[] => {
      const missing = missingRules(slot);
      const path = ['flows', flow, 'slots', index];
      return missing === undefined ? [] : [{ severity: 'warning', path, said: missing }];
    }),
  );
}

function missingRules({ name, type, constraints = {}, minDigits, maxDigits }: SlotDefinition): Notice | undefined {
  const { days, earliestDays, latestDays, closed, from, to } = constraints;
  const isFree = (...rules: unknown[]): boolean => rules.every((rule) => rule === undefined);
  if (type === 'date' && isFree(days, earliestDays, latestDays, closed)) return notice('agent.any-day', { slot: name });
  if (type === 'time' && isFree(from, to)) return notice('agent.any-hour', { slot: name });
  if (type === 'digits' && isFree(minDigits, maxDigits)) return notice('agent.any-length', { slot: name });
  return undefined;
}
