// SPDX-License-Identifier: Apache-2.0
// Where the ads of a channel come from: its one ad server, or steps whose ad sources were read.
import type { Channel } from '../../channels/channel.ts';
import type { AdHooks, AdRules, AdSource, AdSourceRecord, AdStep, VastSource } from '../../channels/demand.ts';
import type { FindAdSources } from '../../channels/ports.ts';
import { withoutUndefined } from '../../invariant.ts';
import { DEFAULT_TIMEOUT_MS } from './requestAds.ts';

/** `record` is undefined if the tenant has no such source any more. */
export type StepSource = { readonly id: string; readonly record: AdSourceRecord | undefined };

export type DemandStep = Pick<AdStep, 'timeShare' | 'request'> & { readonly sources: readonly StepSource[] };

export type StepsDemand = {
  readonly kind: 'steps';
  readonly steps: readonly DemandStep[];
  /** Milliseconds for all steps. */
  readonly budgetMs: number;
  readonly rules?: AdRules;
  readonly hooks?: AdHooks;
  /** What requests state about the channel. */
  readonly channel: Pick<Channel, 'tracking' | 'type' | 'repeats'>;
};

export type Demand = { readonly kind: 'server'; readonly source: AdSource } | StepsDemand;

/** The source of steps whose response names the breaks of a presentation (VMAP): the first VAST source. Undefined without steps, too. */
export const namingSource = (demand: Demand | undefined): (AdSourceRecord & VastSource) | undefined =>
  (demand?.kind === 'steps' ? demand.steps : [])
    .flatMap(({ sources }) => sources.flatMap(({ record }) => record ?? []))
    .find((one) => one.type === 'vast');

/** Whether the response of an ad server can name the breaks of a presentation. */
export const namesBreaks = (demand: Demand): boolean => demand.kind === 'server' || namingSource(demand) !== undefined;

/** @returns undefined if the channel has no ad source */
export type DemandOf = (channel: Channel) => Promise<Demand | undefined>;

/** Whether ads are requested for a channel at all. */
export const hasDemand = ({ adSource, adSteps = [] }: Pick<Channel, 'adSource' | 'adSteps'>): boolean =>
  adSource !== undefined || adSteps.length > 0;

/** Milliseconds within which all requests of a break end. */
export const budgetOf = (demand: Demand): number =>
  demand.kind === 'server' ? (demand.source.timeoutMs ?? DEFAULT_TIMEOUT_MS) : demand.budgetMs;

/** The same without reading the sources. */
export const channelBudget = ({
  adSource,
  adSteps = [],
  adBudgetMs,
}: Pick<Channel, 'adSource' | 'adSteps' | 'adBudgetMs'>) =>
  (adSteps.length > 0 ? adBudgetMs : adSource?.timeoutMs) ?? DEFAULT_TIMEOUT_MS;

/** @param mostMs the budget of the demand, if it has more */
export const limitDemand = (demand: Demand, mostMs: number): Demand =>
  demand.kind === 'server'
    ? { ...demand, source: { ...demand.source, timeoutMs: Math.min(budgetOf(demand), mostMs) } }
    : { ...demand, budgetMs: Math.min(demand.budgetMs, mostMs) };

function stepsOf(channel: Channel, found: ReadonlyMap<string, AdSourceRecord>): StepsDemand {
  const steps = (channel.adSteps ?? []).map(
    ({ sources, ...step }): DemandStep => ({
      ...step,
      sources: sources.map((id) => ({ id, record: found.get(id) })),
    }),
  );
  const { adRules: rules, adHooks: hooks, tracking, type, repeats } = channel;
  const facts = { tracking, type, ...withoutUndefined({ repeats }) };
  return {
    kind: 'steps',
    steps,
    budgetMs: channelBudget(channel),
    channel: facts,
    ...withoutUndefined({ rules, hooks }),
  };
}

const hasRead = ({ steps }: StepsDemand, found: ReadonlyMap<string, AdSourceRecord>): boolean =>
  steps.every(({ sources }) => sources.every(({ id, record }) => found.get(id) === record));

/** The demand of a channel is the same object until the channel or one of its sources changes. */
export function createDemands(find: FindAdSources): DemandOf {
  const servers = new WeakMap<AdSource, Demand>();
  const known = new WeakMap<Channel, StepsDemand>();
  return async (channel) => {
    const { adSource, adSteps = [] } = channel;
    if (adSteps.length > 0) {
      const found = await find(
        channel.tenant,
        adSteps.flatMap(({ sources }) => sources),
      );
      const before = known.get(channel);
      if (before !== undefined && hasRead(before, found)) return before;
      const demand = stepsOf(channel, found);
      known.set(channel, demand);
      return demand;
    }
    if (adSource === undefined) return undefined;
    const before = servers.get(adSource);
    const demand = before ?? { kind: 'server', source: adSource };
    if (before === undefined) servers.set(adSource, demand);
    return demand;
  };
}

/** The lowest rate of the sources of the first step, which each break requests; undefined if none of them has one. */
export function firstRate(demand: Demand | undefined): number | undefined {
  const [first] = demand?.kind === 'steps' ? demand.steps : [];
  const rates = (first?.sources ?? []).flatMap(({ record }) =>
    record === undefined || record.type === 'house' ? [] : (record.maxPerSecond ?? []),
  );
  return rates.length === 0 ? undefined : Math.min(...rates);
}
