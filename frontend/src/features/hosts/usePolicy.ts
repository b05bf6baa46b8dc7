import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { previewHostPolicy, setHostPolicy, type PolicyEffect, type PolicySettings } from "@/api/generated";
import { queries } from "@/api/queries";

/** A policy that forbids trials of runs that wait, until somebody confirms it. */
interface Question {
  policy: PolicySettings;
  effect: PolicyEffect;
}

/** Stores a policy in place of the one of `version`; of one that forbids trials that wait or run it first returns a question. */
export function usePolicy(host: string, version: string | undefined, onSaved: () => void) {
  const client = useQueryClient();
  const [question, setQuestion] = useState<Question | null>(null);
  const save = useMutation({
    mutationFn: async ({ policy, isConfirmed }: { policy: PolicySettings; isConfirmed: boolean }) => {
      const effect = isConfirmed ? null : await previewHostPolicy({ path: { host }, body: policy });
      if (effect && effect.trials > 0) return setQuestion({ policy, effect });
      const stored = await setHostPolicy({ path: { host }, query: version === undefined ? {} : { replaces: version }, body: policy });
      client.setQueryData(queries.host(host).queryKey, stored);
      setQuestion(null);
      onSaved();
      await client.invalidateQueries({ queryKey: queries.hosts().queryKey });
    },
  });
  return { save, question, forget: () => setQuestion(null) };
}
