// SPDX-License-Identifier: Apache-2.0
// Changes of many records at once: what is sent, what came of it, and what undoes it.

export type Change = {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly ifMatch?: string;
};

type Subject = {
  readonly id: string;
  readonly name: string;
  /** Its page. */
  readonly href?: string;
};

/** A record that is changed. */
export type Planned = Subject & {
  readonly change: Change;
  /** What undoes it; absent if it cannot be undone, or if the response names a path that restores the record. */
  readonly before?: object;
};

/** A record that is not changed, and why. */
export type Left = Subject & { readonly reason: string };
export type Plan = { readonly changes: readonly Planned[]; readonly left: readonly Left[] };

/** As the API returns it for each change. */
export type Result = {
  readonly status: number;
  readonly error?: { readonly message: string };
  readonly etag?: string;
  /** The path that restores a deleted record. */
  readonly restore?: string;
};

export type Done = Subject & { readonly undo: Change | undefined };
export type Outcome = { readonly done: readonly Done[]; readonly left: readonly Left[] };

const isDone = ({ status }: Result): boolean => status >= 200 && status < 300;

const GONE = 'It was deleted meanwhile.';
const CHANGED = 'Someone else changed it meanwhile.';

function reasonOf({ status, error }: Result): string {
  if (status === 404) return GONE;
  if (status === 412) return CHANGED;
  return error?.message ?? `The change failed with status ${status}.`;
}

const subjectOf = ({ id, name, href }: Subject): Subject => ({ id, name, ...(href === undefined ? {} : { href }) });

/** Undoes only the version that the change has made, so that no later change is lost. */
function undoOf({ change, before }: Planned, { etag, restore }: Result): Change | undefined {
  if (restore !== undefined) return { method: 'POST', path: restore };
  if (before === undefined || etag === undefined) return undefined;
  return { method: 'PATCH', path: change.path, body: before, ifMatch: etag };
}

/** @param results in the order of the changes; those that are missing were not sent */
export function outcomeOf({ changes, left }: Plan, results: readonly Result[]): Outcome {
  const done: Done[] = [];
  const failed: Left[] = [];
  changes.forEach((planned, index) => {
    const result = results[index] ?? { status: 0, error: { message: 'It was not sent.' } };
    if (isDone(result)) done.push({ ...subjectOf(planned), undo: undoOf(planned, result) });
    else failed.push({ ...subjectOf(planned), reason: reasonOf(result) });
  });
  return { done, left: [...left, ...failed] };
}

/** What undoes an outcome. */
export const undoPlan = ({ done }: Outcome): Plan => ({
  changes: done.flatMap((each): Planned[] =>
    each.undo === undefined ? [] : [{ ...subjectOf(each), change: each.undo }],
  ),
  left: [],
});

/** The records that were selected and are no longer there. */
export const missingFrom = (selected: readonly Subject[], found: readonly { readonly id: string }[]): Left[] => {
  const ids = new Set(found.map(({ id }) => id));
  return selected.filter(({ id }) => !ids.has(id)).map(({ id, name }) => ({ id, name, reason: GONE }));
};

/** The API accepts so many changes in one request. */
export const MAX_CHANGES = 500;

export const batchesOf = (changes: readonly Planned[]): readonly (readonly Change[])[] =>
  Array.from({ length: Math.ceil(changes.length / MAX_CHANGES) }, (_, index) =>
    changes.slice(index * MAX_CHANGES, (index + 1) * MAX_CHANGES).map(({ change }) => change),
  );
