"""Messages to players' phones through the push services of their browsers: keys, encryption, and how they are sent."""
