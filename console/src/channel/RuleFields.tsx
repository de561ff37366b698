// SPDX-License-Identifier: Apache-2.0
import type { CapRow, ChannelForm, SettingProps } from '../channels/channelForm.ts';
import { errorWithin, fieldError } from '../components/forms/fieldErrors.ts';
import { type RowColumn, RowsField } from '../components/forms/RowsField.tsx';
import { SelectField, toOptions } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { limitHint } from '../format/limitHint.ts';

const separations: Readonly<Record<ChannelForm['separateAdvertisers'], string>> = {
  no: 'Allowed',
  adjacent: 'Not next to each other',
  break: 'Once in a break',
};

const capColumns: readonly RowColumn<CapRow>[] = [
  { name: 'per', label: 'Per', options: toOptions({ creative: 'Creative', advertiser: 'Advertiser' }) },
  { name: 'max', label: 'Max. ads', type: 'number' },
  { name: 'hours', label: 'Hours', type: 'number' },
];

const LINES = 'One per line.';
const blocked = [
  ['blockedAdvertisers', 'Blocked advertisers', `Domains or names. ${LINES}`],
  ['blockedCategories', 'Blocked categories', 'Separated by spaces, commas or lines.'],
  ['blockedCreatives', 'Blocked creatives', `IDs. ${LINES}`],
  ['blockedLanguages', 'Blocked languages', 'Such as en, de. Separated like categories.'],
] as const;

/** Which ads can be shown, and next to which; and the URLs that can change that. */
export const RuleFields = ({ form, errors, field, choice, set }: SettingProps) => (
  <>
    <details>
      <summary>Rules</summary>
      <div class="form">
        <div class="pair">
          <SelectField label="Same advertiser" {...choice('separateAdvertisers', separations)} />
          <SelectField label="Same category" {...choice('separateCategories', separations)} />
        </div>
        <TextField
          label="Max. ads per advertiser"
          {...field('maxPerAdvertiser')}
          hint={`In a break. ${limitHint('maxPerAdvertiser')}`}
        />
        <RowsField
          label="Frequency caps"
          entry="cap"
          columns={capColumns}
          rows={form.frequencyCaps}
          empty={{ per: 'creative', max: '', hours: '24' }}
          hint="The most ads with one creative, or of one advertiser, for a viewer in so many hours."
          error={fieldError(errors, '/adRules/frequencyCaps')}
          errorAt={(row, name) => fieldError(errors, `/adRules/frequencyCaps/${row}/${name}`)}
          onChange={(frequencyCaps) => set({ frequencyCaps })}
        />
        <TextField
          label="Viewer parameter"
          {...field('viewerParameter')}
          hint="Query parameter of playback URLs that identifies a viewer for caps. Empty: each session is a viewer."
        />
        <div class="pair">
          {blocked.map(([name, label, hint]) => (
            <TextField
              key={name}
              label={label}
              rows={3}
              {...field(name)}
              error={errorWithin(errors, `/adRules/${name}`)}
              hint={hint}
            />
          ))}
        </div>
      </div>
    </details>
    {form.demand === 'steps' ? (
      <details>
        <summary>Hooks</summary>
        <div class="form">
          <TextField
            label="Request hook URL"
            type="url"
            {...field('hookRequestUrl')}
            hint="Called before each request to an ad source. It can change or skip the request."
          />
          <TextField
            label="Ads hook URL"
            type="url"
            {...field('hookAdsUrl')}
            hint="Called after the responses of all steps. It can drop, order and add ads."
          />
          <div class="pair">
            <TextField
              label="Hook timeout (ms)"
              {...field('hookTimeout')}
              hint={`For each call. ${limitHint('hookTimeoutMs')}`}
            />
            <TextField
              label="Hook secret"
              {...field('hookSecret')}
              hint="Signs calls like those of webhooks. Default: random."
            />
          </div>
        </div>
      </details>
    ) : null}
  </>
);
