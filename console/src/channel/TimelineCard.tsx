import { useState } from 'preact/hooks';
import type { TimelineAnswer } from '../../../src/http/airContract.ts';
import { useGet } from '../api/useGet.ts';
import { useNow } from '../api/useNow.ts';
import { Loading } from '../parts/Loading.tsx';
import { ErrorNotice } from '../parts/Notice.tsx';
import { Segments } from '../parts/Segments.tsx';
import { ComingUp } from './ComingUp.tsx';
import { TimelineStrip } from './TimelineStrip.tsx';

const EVERY = 15_000;
const minutes = { '5': '5 min', '15': '15 min', '60': '1 h' } as const;
type Reach = keyof typeof minutes;

type TimelineCardProps = { readonly channelId: string; readonly pictureAt: number | undefined };

/** What plays when, as a strip that moves with the clock, and as a list. */
export function TimelineCard({ channelId, pictureAt }: TimelineCardProps) {
  const [reach, setReach] = useState<Reach>('5');
  const shown = Number(reach) * 60_000;
  const slow = useNow(EVERY);
  const from = Math.floor((slow - shown / 4) / EVERY) * EVERY;
  const path = `/channels/${encodeURIComponent(channelId)}/timeline?from=${from}&to=${from + shown * 2}`;
  const { data, error, isLoading } = useGet<TimelineAnswer>(path);
  const [last, setLast] = useState(data);
  if (data !== undefined && data !== last) setLast(data);
  const timeline = data ?? last;
  return (
    <section class="card">
      <header>
        <h2>What plays when</h2>
        <Segments
          label="How much of it"
          value={reach}
          options={Object.entries(minutes) as [Reach, string][]}
          onChange={(next: Reach) => setReach(next)}
        />
      </header>
      <ErrorNotice error={error} />
      {isLoading && timeline === undefined ? <Loading lines={1} /> : null}
      {timeline && timeline.entries.length === 0 ? (
        <p class="quiet">Nothing is on air yet; it takes a few seconds.</p>
      ) : null}
      {timeline && timeline.entries.length > 0 ? (
        <>
          <TimelineStrip timeline={timeline} shown={shown} pictureAt={pictureAt} />
          <ComingUp timeline={timeline} />
        </>
      ) : null}
    </section>
  );
}
