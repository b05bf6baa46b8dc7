import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useNavigate } from "react-router";
import { ApiError } from "@/api/errors";
import { createSession } from "@/api/generated";
import { queries } from "@/api/queries";
import { Failure, Loading, Note } from "@/components/Status";
import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";
import { SignInHelp } from "./SignInHelp";

const t = messages("access");

/** Signs in by a one-time link. Its secret is in the fragment, which browsers do not send; it goes in the body of one request. */
export function SignInPage() {
  const link = window.location.hash.slice(1);
  return link === "" ? <SignInHelp /> : <ByLink link={link} />;
}

function ByLink({ link }: { link: string }) {
  useTitle(t("signIn"));
  const client = useQueryClient();
  const navigate = useNavigate();
  const sent = useRef(false);
  const signIn = useMutation({
    mutationFn: () => createSession({ body: { link } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: queries.session().queryKey });
      await navigate("/", { replace: true });
    },
  });
  useEffect(() => {
    if (sent.current) return; // a link works once
    sent.current = true;
    signIn.mutate();
  });
  if (!signIn.error) return <Loading label={t("signingIn")} rows={2} />;
  if (signIn.error instanceof ApiError && signIn.error.status === 410) {
    return (
      <>
        <Note tone="warn">{t("linkGone")}</Note>
        <SignInHelp />
      </>
    );
  }
  return <Failure error={signIn.error} retry={() => signIn.mutate()} />;
}
