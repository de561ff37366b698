// SPDX-License-Identifier: Apache-2.0
// What the page of the demo shows of the cluster, and what its buttons do.
import type { Cluster, ClusterNode } from './cluster.ts';
import type { Member, MemberState } from './member.ts';

const READ_INTERVAL_MS = 900;
const READ_TIMEOUT_MS = 2500;

export type MemberStatus = {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly state: MemberState;
  /** ISO 8601. */
  readonly since: string;
  /** Why a node that is up is not ready. */
  readonly reason?: string;
  /** The address of a node, as nginx reports it. */
  readonly address?: string;
  /** Responses of a node per second, the current second last. */
  readonly responses?: readonly number[];
  /** What can be done with it now. */
  readonly actions: readonly ClusterAction[];
};
export type ClusterStatus = { readonly members: readonly MemberStatus[] };

const actions = {
  kill: (member: Member) => member.kill(),
  drain: (member: Member) => member.drain(),
  pause: (member: Member) => member.pause(),
  resume: (member: Member) => member.resume(),
  // The page shows the state; the reason is in the log.
  start: (member: Member) => void member.start().catch(() => undefined),
};
export type ClusterAction = keyof typeof actions;

const possible: Readonly<Record<MemberState, readonly ClusterAction[]>> = {
  starting: ['kill'],
  up: ['kill', 'drain', 'pause'],
  draining: ['kill'],
  paused: ['kill', 'resume'],
  down: ['start'],
};

function actionsOf({ id, kind, state }: Member): readonly ClusterAction[] {
  // Without its proxy, the page would show nothing but that.
  if (kind === 'proxy') return [];
  const withoutPause = id === 'postgres';
  return possible[state()].filter(
    (action) => (action === 'drain' ? kind === 'node' : true) && !(withoutPause && action === 'pause'),
  );
}

/** @returns why the node is not ready; undefined if it is */
async function readReason(live: string): Promise<string | undefined> {
  try {
    const response = await fetch(`http://${live}/ready`, { signal: AbortSignal.timeout(READ_TIMEOUT_MS) });
    const { reason } = (await response.json()) as { reason?: string };
    return response.ok ? undefined : (reason ?? 'not ready');
  } catch {
    return 'no response';
  }
}

export type ClusterControl = {
  status(): ClusterStatus;
  /** @returns whether the member exists and the action is possible now */
  act(action: string, id: string): boolean;
};

export function createClusterControl({ members, nodes, responses }: Cluster): ClusterControl {
  const reasons = new Map<string, string | undefined>();
  let readAt = 0;
  /** In the background, at most once a second, and only while a page is open. */
  function readReasons(): void {
    if (Date.now() - readAt < READ_INTERVAL_MS) return;
    readAt = Date.now();
    for (const { member, live } of nodes) {
      if (member.state() !== 'up') reasons.delete(member.id);
      else void readReason(live).then((reason) => reasons.set(member.id, reason));
    }
  }
  function statusOf(member: Member): MemberStatus {
    const { id, title, kind } = member;
    const node: ClusterNode | undefined = nodes.find((each) => each.member === member);
    const reason = member.state() === 'up' ? reasons.get(id) : undefined;
    return {
      id,
      title,
      kind,
      state: member.state(),
      since: member.since().toISOString(),
      ...(reason === undefined ? {} : { reason }),
      ...(node ? { address: node.live, responses: responses.perSecond(node.live) } : {}),
      actions: actionsOf(member),
    };
  }
  return {
    status() {
      readReasons();
      return { members: members.map(statusOf) };
    },
    act(action, id) {
      const member = members.find((each) => each.id === id);
      const found = member && actionsOf(member).find((each) => each === action);
      if (!found) return false;
      actions[found](member);
      return true;
    },
  };
}
