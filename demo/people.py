"""Who plays: names as they come through the door of a café."""

from __future__ import annotations

CLUBS = ("Café Meeple", "Würfelwerk", "The Second Player")

# Forty of each club.
NAMES = (
    """Ana Duarte, Björn Lindqvist, Chloé Marchand, Dafydd Pryce, Élodie Perrin, Fatoumata Diallo, Gaël Le Bihan,
    Hana Nováková, Ibrahim Traoré, Joséphine Roux, Kofi Mensah, Łukasz Wójcik, Maëlys Fabre, Nils Østergård,
    Océane Girard, Pénélope Vidal, Quentin Arnaud, Rania Haddad, Søren Krogh, Thérèse Blanc, 田中 さくら, 王小明,
    김민준, Αλέξανδρος Νικολάου, Мария Иванова, יעל כהן, ليلى منصور, प्रिया शर्मा, ณัฐพล ศรีสุข, Nguyễn Thị Hạnh,
    Zoë Castellanos, Yannick Faure, Xavi Puig, Wanda Kamiński, Véronique Caron, Ulla Virtanen, Tomás Ó Briain,
    Siân Morgan, Roxane Petit, Aurélien Nègre""",
    """Jürgen Groß, Käthe Müller, Ömer Yıldız, Çağla Demir, Gülşen Aydın, Ägidius Weiß, Frieda Köhler, Matthias Jäger,
    Lieselotte Böhm, Ingrid Schäfer, Dörte Hansen, Ruth Vogel, Konrad Fuchs, Anneliese Krüger, Emil Sauer, Paula Lang,
    Jiří Dvořák, Zsófia Nagy, Ştefan Ionescu, Ívar Þórsson, Олександр Шевченко, Катерина Бондар, Δήμητρα Παπαδοπούλου,
    გიორგი ბერიძე, Արամ Պետրոսյան, علی رضایی, 李雪梅, 佐藤 健, 이서연, சுரேஷ் குமார், Aylin Kaya, Bruno Haas,
    Clara Engel, Dominik Roth, Elif Şahin, Felix Brandt, Greta Lorenz, Hannes Ebert, Ilse Thoma, Justus Klein""",
    """Alice Whitfield, Bob Okonkwo, Caoimhe Nolan, Dev Patel, Eilidh Fraser, Femi Adeyemi, Grace Lim, Harriet Stone,
    Isla Mackenzie, Jack O’Connor, Kiri Ngata, Liam Byrne, Mei-Ling Tan, Noah Abrams, Olivia Hart, Priyanka Rao,
    Quinn Delaney, Rosa Delgado, Saoirse Walsh, Teo Marin, Uma Krishnan, Victor Lund, Winston Grant, Ximena Ortega,
    Yusuf Khan, Zara Ahmed, ሰላም ተስፋዬ, আনিকা রহমান, Дмитрий Соколов, Ελένη Γεωργίου, 陳美玲, 鈴木 一郎, 박지훈,
    دينا فاروق, נועם לוי, ਹਰਪ੍ਰੀਤ ਸਿੰਘ, Kalani Kahale, Lucía Fernández, Mateo Rojas, Nomvula Dlamini""",
)


def names(club: int) -> list[str]:
    """Return the people of a club."""
    return [" ".join(name.split()) for name in NAMES[club].split(",")]
