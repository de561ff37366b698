import type { SystemAnswer } from '../../../src/http/tenantContract.ts';

/** This installation itself: the first that the tenant had. Lists are newest first. */
export const ownSystem = (systems: readonly SystemAnswer[]): SystemAnswer | undefined =>
  systems.findLast(({ type }) => type === 'ssai') ?? systems.at(-1);
