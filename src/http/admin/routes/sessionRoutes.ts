// The trace of a viewer's session: every break, every ad, and a plain reason for each that was not shown.
import { AppError } from '../../../errors.ts';
import { sessionTrace } from '../../airContract.ts';
import type { KeyedRoute } from '../request/route.ts';
import type { AdminDeps } from './ports.ts';

export const sessionRoutes = ({ onAir }: AdminDeps): KeyedRoute[] => [
  {
    tag: 'sessions',
    method: 'GET',
    path: '/api/v2/sessions/:id',
    operationId: 'getSession',
    summary: 'The trace of a session',
    answer: { status: 200, description: 'the session and its breaks', schema: sessionTrace },
    errors: [404],
    example: { params: { id: 'session-one' } },
    handle: async ({ params, caller }) => {
      const id = params.id!;
      const trace = /^[\w-]{1,128}$/.test(id) ? await onAir.sessionTrace(id, caller.tenant) : undefined;
      if (!trace) throw new AppError('NOT_FOUND', `There is no session with the id "${id.slice(0, 200)}".`);
      return { status: 200, json: trace };
    },
  },
];
