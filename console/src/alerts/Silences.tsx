// SPDX-License-Identifier: Apache-2.0
import type { SilenceResponse } from '../../../src/platform/alerts/contract/silenceContract.ts';
import { call } from '../api/call.ts';
import { useMe } from '../api/me.ts';
import { useRecordNames } from '../api/recordNames.ts';
import { useAction } from '../api/useAction.ts';
import { POLL, useGet } from '../api/useGet.ts';
import { Button } from '../components/buttons/Button.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { formatDateTime } from '../format/time.ts';

type SilenceRowProps = { readonly silence: SilenceResponse; readonly what: string; onEnded(): void };

function SilenceRow({ silence: { id, until, createdBy, reason }, what, onEnded }: SilenceRowProps) {
  const end = useAction(async () => {
    await call('DELETE', '/silences/{id}', { path: { id } });
    onEnded();
  });
  return (
    <li class="row between">
      <span>
        {what}{' '}
        <span class="small muted">
          until {formatDateTime(until)}, by {createdBy}
          {reason === undefined ? '' : `: ${reason}`}
        </span>
      </span>
      <Button isSmall requires="operate" action={end}>
        End
      </Button>
      <ErrorNotice error={end.error} />
    </li>
  );
}

/** What is silenced, whether it fires or not. */
export function Silences({ onChanged }: { onChanged(): void }) {
  const isReadable = useMe()?.channels === undefined;
  const silences = useGet('/silences', isReadable ? {} : null, POLL.minute);
  const rules = useGet('/alert-rules', isReadable && silences.data?.length ? {} : null);
  const all = silences.data ?? [];
  const channelName = useRecordNames(
    'channels',
    all.flatMap(({ channel }) => (channel === undefined ? [] : [channel])),
  );
  const whatOf = ({ rule, channel, label }: SilenceResponse): string =>
    [
      rule === undefined ? 'All rules' : (rules.data?.find(({ id }) => id === rule)?.name ?? rule),
      ...(channel === undefined ? [] : [`on ${channelName(channel)}`]),
      ...(label === undefined ? [] : [`with the label ${label}`]),
    ].join(' ');
  if (all.length === 0) return <ErrorNotice error={silences.error} />;
  return (
    <section class="card silenced">
      <h2>Silences</h2>
      <ul class="silences">
        {all.map((silence) => (
          <SilenceRow
            key={silence.id}
            silence={silence}
            what={whatOf(silence)}
            onEnded={() => {
              silences.reload();
              onChanged();
            }}
          />
        ))}
      </ul>
    </section>
  );
}
