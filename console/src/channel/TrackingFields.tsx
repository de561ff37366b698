// SPDX-License-Identifier: Apache-2.0
import type { FieldError } from '../api/apiError.ts';
import type { ChannelForm, Tracking } from '../channels/channelForm.ts';
import { fieldError } from '../components/forms/fieldErrors.ts';
import { SelectField, toOptions } from '../components/forms/SelectField.tsx';

type TrackingFieldsProps = {
  readonly form: ChannelForm;
  readonly errors: readonly FieldError[];
  set(changed: Partial<ChannelForm>): void;
};

const tracking: Readonly<Record<Tracking, string>> = { server: 'Server-side', client: 'Client-side' };
const yesNo = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

/** How beacons are sent, and what players receive and report about ads. */
export const TrackingFields = ({ form, errors, set }: TrackingFieldsProps) => (
  <>
    <div class="pair">
      <SelectField
        label="Tracking"
        value={form.tracking}
        hint="Beacons are sent by Midroll or by the player. Default: Midroll."
        options={toOptions(tracking)}
        error={fieldError(errors, '/tracking')}
        onChange={(value) => set({ tracking: value })}
      />
      <SelectField
        label="Accept player confirmations"
        value={form.confirmations}
        hint="Sessions list confirmed events next to delivered ads. Default: no."
        options={yesNo}
        error={fieldError(errors, '/confirmations')}
        onChange={(confirmations) => set({ confirmations })}
      />
    </div>
    <SelectField
      label="Announce ads"
      value={form.announceAds}
      hint="Manifests mark breaks and ads. Players need no SDK, but ad blockers can find them too. Default: yes."
      options={yesNo}
      error={fieldError(errors, '/announceAds')}
      onChange={(announceAds) => set({ announceAds })}
    />
  </>
);
