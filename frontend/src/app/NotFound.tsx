import { ButtonLink } from "@/components/Button";
import { PageHead } from "@/components/PageHead";
import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";

const t = messages("common");

export function NotFound() {
  useTitle(t("notFound"));
  return (
    <>
      <PageHead crumbs={[{ label: t("navHome"), to: "/" }]} title={t("notFound")} meta={t("notFoundText")} />
      <p>
        <ButtonLink to="/" kind="primary">
          {t("toHome")}
        </ButtonLink>
      </p>
    </>
  );
}
