// A source looked at before it stands in a playlist: whether it can be played, how long it is, where it may be cut.
import { isHttpUrl } from '../../../channels/isHttpUrl.ts';
import { AppError, fieldError } from '../../../errors.ts';
import { type ImportBody, importAnswer, importBody } from '../../consoleContract.ts';
import type { KeyedRoute } from '../request/route.ts';
import type { AdminDeps } from './ports.ts';
import { readBody } from './record.ts';

const urlFaults = async (fields: unknown) => {
  const url = (fields as { url?: unknown } | null)?.url;
  return typeof url === 'string' && !isHttpUrl(url) ? [fieldError('url', '/url', 'must be an http or https URL')] : [];
};

export const importRoutes = ({ checkSource }: AdminDeps): KeyedRoute[] => [
  {
    tag: 'playlists',
    method: 'POST',
    path: '/api/v2/imports',
    operationId: 'checkSource',
    summary: 'Look at a source: can it be played, how long is it, where would cue points land',
    description:
      'Reads the manifest and measures its segments, as a channel would, and answers after ten seconds at the latest: ' +
      'with `importing` when that was not enough. Asking again goes on waiting for the same import. Nothing is put on air.',
    body: { schema: importBody },
    answer: { status: 200, description: 'what was found', schema: importAnswer },
    errors: [429],
    example: {
      body: {
        url: 'https://media.example.com/film/master.m3u8',
        spliceType: 'percent',
        cuePoints: [{ spliceTime: 50, maxDuration: 30 }],
      },
    },
    handle: async ({ body, caller }) => {
      const rules = { noun: 'source', schema: importBody, ignored: [] };
      const { url, ...wanted } = (await readBody(body, rules, urlFaults)) as ImportBody;
      const found = await checkSource(caller.tenant, url, wanted);
      if (found === 'busy')
        throw new AppError('TOO_MANY_REQUESTS', 'Many sources are being read already; ask again in a few seconds.');
      return { status: 200, json: { url, ...found } };
    },
  },
];
