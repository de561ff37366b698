import { Link } from 'wouter-preact';
import type { ChannelAnswer, ItemStatus } from '../../../src/http/contract.ts';
import { nameOfUrl } from '../logic/nameOfUrl.ts';
import { formatLength } from '../logic/time.ts';
import { Badge, type Tone } from '../parts/Badge.tsx';

const states: Readonly<Record<ItemStatus['state'], readonly [Tone, string]>> = {
  ready: ['good', 'Plays'],
  importing: ['info', 'Being read'],
  failed: ['bad', 'Does not play'],
  leftOut: ['warn', 'Left out'],
};

function Item({ item }: { readonly item: ItemStatus }) {
  const { index, url, state, reason, duration, warnings = [], cuePoints = [] } = item;
  const [tone, text] = states[state];
  const isOdd = warnings.length > 0 || cuePoints.some(({ warning }) => warning !== undefined);
  return (
    <tr>
      <td class="right">{index + 1}</td>
      <td class="called">
        <strong>{url ? nameOfUrl(url) : 'Placeholder'}</strong>
        <div class="wide">
          <small class="url">{url}</small>
        </div>
        {reason ? <p class="small">{reason}</p> : null}
        {warnings.length > 0 ? (
          <details class="small">
            <summary>{warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`}</summary>
            <ul>
              {warnings.map((warning) => (
                <li key={warning}>{warning}</li>
              ))}
            </ul>
          </details>
        ) : null}
      </td>
      <td>
        <Badge tone={state === 'ready' && isOdd ? 'warn' : tone}>{text}</Badge>
      </td>
      <td>{duration === undefined ? '–' : formatLength(duration)}</td>
      <td>
        {cuePoints.length === 0 ? <span class="quiet">none</span> : null}
        {cuePoints.map(({ landsAt, reason: why, warning }, at) => (
          <div key={at}>
            {landsAt === undefined ? <small>{why}</small> : formatLength(landsAt, true)}
            {warning ? <p class="small">{warning}</p> : null}
          </div>
        ))}
      </td>
    </tr>
  );
}

/** What became of each item of the playlist, and where its breaks fall. */
export function Health({ channel }: { readonly channel: ChannelAnswer }) {
  const { items = [], playlistId } = channel;
  return (
    <section class="stack tight">
      <div class="row between">
        <h2>Items</h2>
        {playlistId ? (
          <Link class="small" href={`/playlists/${encodeURIComponent(playlistId)}`}>
            Edit the playlist
          </Link>
        ) : null}
      </div>
      {items.length === 0 ? (
        <p class="quiet">
          {playlistId
            ? 'Items appear as soon as the playlist has been read.'
            : 'The channel has no playlist: choose one in its settings.'}
        </p>
      ) : (
        <div class="table-frame">
          <table>
            <thead>
              <tr>
                <th class="right">#</th>
                <th>Item</th>
                <th>State</th>
                <th>Length</th>
                <th>Breaks at</th>
              </tr>
            </thead>
            <tbody>
              {items.map((item) => (
                <Item key={item.index} item={item} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
