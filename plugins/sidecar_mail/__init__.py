"""Mail: single messages (.eml, Outlook .msg) and mailboxes (.mbox)."""

from sidecar_mail.plugin import MailFormat as MailFormat
