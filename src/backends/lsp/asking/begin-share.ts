import { beginCall, type Call, endOf } from '../../../core/call.ts';

/** Several servers share it: one that stays silent does not cost the answers of the others. */
export const shareOfCall = 0.8;

/** For one server when another is asked after it: if the first stays silent, the next can still answer. */
export const shareOfTurn = 0.6;

/** A call within a call, for a share of the time that is left. */
export function beginShare(call: Call, share: number): Call & Disposable {
  const time = (call.deadline - performance.now()) * share;
  return beginCall({ time, report: call.report, scope: call.scope }, endOf(call));
}
