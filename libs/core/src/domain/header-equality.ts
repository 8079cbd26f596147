import { canonicalJson } from './canonical-json.ts';
import type { EpochHeader, LlmCallConfig } from './requests.ts';

/** The one form of a header: empty optional parts are absent. */
export function canonicalHeader({ config, system, tools, messagePrefix }: EpochHeader): EpochHeader {
  return Object.freeze({
    config: canonicalConfig(config),
    ...(system && { system }),
    ...(tools?.length && { tools }),
    ...(messagePrefix?.length && { messagePrefix }),
  });
}

/** Whether two headers ask for the same: sampling field by field, system text, tools and prefix in their order. */
export function headersEqual(a: EpochHeader, b: EpochHeader): boolean {
  return canonicalJson(canonicalHeader(a)) === canonicalJson(canonicalHeader(b));
}

function canonicalConfig({ stop, ...config }: LlmCallConfig): LlmCallConfig {
  return Object.freeze({ ...config, ...(stop?.length && { stop }) });
}

export interface HeaderOwedInput {
  /** Digest of the header the request is about to use. */
  digest: string;
  /** Digest this loop instance logged last; absent before its first request. */
  logged?: string;
  /** Whether the log held any header before this loop instance began. */
  logHadHeader: boolean;
}

/** Why a `request/header` has to be logged before the request, if it has to. */
export function headerOwed({
  digest,
  logged,
  logHadHeader,
}: HeaderOwedInput): 'initial' | 'resume' | 'change' | undefined {
  if (logged === undefined) return logHadHeader ? 'resume' : 'initial';
  return logged === digest ? undefined : 'change';
}
