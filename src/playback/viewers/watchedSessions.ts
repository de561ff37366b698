// The session store with its pulse taken at every call that viewers wait for.
import type { SessionStore } from '../../sessions/ports.ts';
import type { StorePulse } from './storePulse.ts';

export const watchedSessions = (store: SessionStore, { watch }: StorePulse): SessionStore => ({
  ...store,
  create: (session, odometer) => watch(() => store.create(session, odometer)),
  find: (id) => watch(() => store.find(id)),
  decide: (state, decision, record, foldBefore) => watch(() => store.decide(state, decision, record, foldBefore)),
  claim: (claim) => watch(() => store.claim(claim)),
  recordShown: (shown) => watch(() => store.recordShown(shown)),
  seen: (ids, at) => watch(() => store.seen(ids, at)),
});
