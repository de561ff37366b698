// SPDX-License-Identifier: Apache-2.0
import { TextList } from '../components/feedback/TextList.tsx';
import { formatPercent } from '../format/numbers.ts';
import { demandFunnel } from './demandFunnel.ts';
import { RankedBar, RankedList } from './RankedList.tsx';
import { type ReportRequest, useReport } from './useReport.ts';

/** The report of demand as a picture. @param request for the whole range, by a dimension */
export function DemandFunnel({ requestBy }: { requestBy(dimension: '' | 'reason'): ReportRequest | null }) {
  const whole = useReport(requestBy('')).data;
  const byReason = useReport(requestBy('reason')).data;
  if (whole === undefined) return null;
  return (
    <RankedList title="From opportunities to completed ads">
      {demandFunnel(whole.totals, byReason?.rows ?? []).map(({ name, amount, share, losses }) => (
        <RankedBar
          key={name}
          name={name}
          amount={amount}
          percent={formatPercent(share, 1)}
          share={share}
          label={`Share of ${name.toLowerCase()}`}
        >
          <TextList class="small muted losses" texts={losses} />
        </RankedBar>
      ))}
    </RankedList>
  );
}
